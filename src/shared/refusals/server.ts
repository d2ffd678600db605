/** What a server says of itself and of its database, whatever was asked. */
export const SERVER_REFUSALS = {
  SERVER_BUSY: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server is very busy. Please try again in a few seconds',
    retrySeconds: 5,
  },
  SERVER_STOPPING: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server is restarting. Please try again in a few seconds',
    retrySeconds: 5,
  },
  SERVER_FULL: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server has no space left, so nothing was saved. Please try again later',
    retrySeconds: 60,
  },
  DATABASE_BEHIND: { code: 'SERVICE_UNAVAILABLE', message: 'The database is not migrated', retrySeconds: 5 },
  DATABASE_UNAVAILABLE: { code: 'SERVICE_UNAVAILABLE', message: 'The database does not respond', retrySeconds: 5 },
  WRITE_UNCLEAR: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'We do not know whether this was saved. Please check before you try again',
  },
  FAULT: { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong' },
  OUTSIDE_NETWORK_REFUSED: {
    code: 'FORBIDDEN',
    message:
      'This server uses local replacements for Clerk (sign-in) and Stripe (payment), so it only accepts connections from this computer and its private network. ' +
      'To open it to others, set NODE_ENV=production and the variables that production needs',
  },
  HOST_UNKNOWN: {
    code: 'BAD_REQUEST',
    message: 'TRAXX does not answer to this host name. Set PUBLIC_URL to the address that you use',
  },
} as const
