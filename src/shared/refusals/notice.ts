/** Why a letter cannot be marked as posted, or that cannot be undone. */
export const NOTICE_REFUSALS = {
  NOTICE_NOT_DUE: { code: 'CONFLICT', message: 'No notice is due for this contract: {why}' },
  NOTICE_LETTER_DOES_NOT_COUNT: { code: 'CONFLICT', message: 'By the rule chosen, a letter does not count' },
  NOTICE_DAY_OUTSIDE: {
    code: 'BAD_REQUEST',
    message: 'Choose a day of the notice window, {from} to {through}, that is not in the future',
  },
  NOTICE_NOT_POSTED: { code: 'CONFLICT', message: 'No letter is marked as posted for the current term' },
} as const
