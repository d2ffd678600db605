/** Where built pages have the nonce of each answer. */
export const NONCE = '__CSP_NONCE__'
