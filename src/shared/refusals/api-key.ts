/** Refusals about API keys. */
export const API_KEY_REFUSALS = {
  API_KEY_REFUSED: { code: 'FORBIDDEN', message: 'Only a signed-in person can do this, not an API key' },
  API_KEY_SCOPE_TOO_NARROW: {
    code: 'FORBIDDEN',
    message: 'This API key is not allowed to do this. Use a key with the scope "{scope}"',
  },
  API_KEY_EXPIRED: { code: 'UNAUTHORIZED', message: 'This API key expired on {day}. Create a new one in your profile' },
  API_KEY_END_PAST: { code: 'BAD_REQUEST', message: 'The last day must not be in the past' },
  API_KEY_NOT_FOUND: { code: 'NOT_FOUND', message: 'API key not found' },
  API_KEYS_FULL: { code: 'CONFLICT', message: 'You can have up to 20 API keys. Revoke one first' },
} as const
