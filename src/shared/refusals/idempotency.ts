/** Why a call with an Idempotency-Key is refused. */
export const IDEMPOTENCY_REFUSALS = {
  IDEMPOTENCY_KEY_INVALID: {
    code: 'BAD_REQUEST',
    message: 'An Idempotency-Key has 1 to 255 letters, digits, and punctuation marks, and no spaces',
  },
  IDEMPOTENCY_KEY_REUSED: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'This Idempotency-Key was already used for another request',
  },
  IDEMPOTENCY_KEY_RUNNING: {
    code: 'CONFLICT',
    message: 'The first request with this Idempotency-Key is still running. Please try again in a few seconds',
  },
  IDEMPOTENCY_INTERRUPTED: {
    code: 'CONFLICT',
    message:
      'The first request with this Idempotency-Key was interrupted. Check what it did before you repeat it with another key',
  },
  IDEMPOTENCY_ANSWER_SECRET: {
    code: 'CONFLICT',
    message: 'This request was already carried out, and its answer was shown once',
  },
} as const
