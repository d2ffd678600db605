/** Refusals that a screen shows by itself. In a file of their own, as the others weigh more than a screen. */
export const SCREEN_REFUSALS = {
  /** No call is made in this case. */
  TOKEN_MISSING: { code: 'UNAUTHORIZED', message: 'Unable to get authentication token' },
  IDENTITY_UNAVAILABLE: { code: 'BAD_GATEWAY', message: 'The sign-in service is not responding. Please try again' },
} as const
