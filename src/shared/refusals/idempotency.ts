/** Why a call with an Idempotency-Key is refused. */
export const IDEMPOTENCY_REFUSALS = {
  IDEMPOTENCY_KEY_INVALID: {
    code: 'BAD_REQUEST',
    message: 'An Idempotency-Key has 1 to 255 letters, digits, and punctuation marks, and no spaces',
  },
  IDEMPOTENCY_KEY_UNSUPPORTED: { code: 'BAD_REQUEST', message: 'This call does not take an Idempotency-Key' },
  IDEMPOTENCY_KEY_REUSED: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'This Idempotency-Key was already used for another request',
  },
  IDEMPOTENCY_ANSWER_SECRET: {
    code: 'CONFLICT',
    message: 'This request was already carried out, and its answer was shown once',
  },
} as const
