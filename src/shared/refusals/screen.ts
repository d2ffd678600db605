/** Refusals that screens make themselves. Separate, so that pages do not load the whole table. */
export const SCREEN_REFUSALS = {
  /** Shown without a call to the server. */
  TOKEN_MISSING: { code: 'UNAUTHORIZED', message: 'Unable to get authentication token' },
  IDENTITY_UNAVAILABLE: {
    code: 'BAD_GATEWAY',
    message: 'The sign-in service is not responding. Please try again',
    retrySeconds: 5,
  },
} as const
