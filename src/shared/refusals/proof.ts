/** Why there is no proof of a message or an answer. */
export const PROOF_REFUSALS = {
  CERTIFICATE_NOT_FOUND: {
    code: 'NOT_FOUND',
    message:
      'There is no certificate. Only emails to customers that were sent, and answers that customers gave with their link, have one',
  },
} as const
