/** Refusals whose words a screen may say by itself. Apart from the others, which together weigh more than a screen. */
export const SCREEN_REFUSALS = {
  /** The server is then not even asked. */
  TOKEN_MISSING: { code: 'UNAUTHORIZED', message: 'Unable to get authentication token' },
  IDENTITY_UNAVAILABLE: { code: 'BAD_GATEWAY', message: 'The sign-in service did not answer. Please try again' },
} as const
