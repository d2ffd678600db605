/** Why a customer's answer is not taken, and why the owner cannot decide one. */
export const ANSWER_REFUSALS = {
  ANSWER_LINK_NOT_FOUND: { code: 'NOT_FOUND', message: 'This link is not valid' },
  ANSWER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Answer not found' },
  ANSWER_DECIDED: { code: 'CONFLICT', message: 'This answer has already been accepted, declined, or changed' },
  ANSWER_OVERTAKEN: {
    code: 'CONFLICT',
    message:
      'The contract has changed since the customer answered. Decide about the contract itself, and dismiss the answer',
  },
  ANSWER_NOT_POSSIBLE: { code: 'CONFLICT', message: 'This can no longer be answered here' },
  ANSWER_PAGE_STALE: {
    code: 'CONFLICT',
    message: 'This page is no longer current. Please check the answer below and send it again',
  },
} as const
