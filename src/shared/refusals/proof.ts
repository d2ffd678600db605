/** Why there is no proof of a message. */
export const PROOF_REFUSALS = {
  CERTIFICATE_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'There is no certificate of this message. Only emails to customers that were sent have one',
  },
} as const
