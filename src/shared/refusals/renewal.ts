/** Why a contract cannot be renewed, ended, reopened, or taken back to before that. */
export const RENEWAL_REFUSALS = {
  CONTRACT_CLOSED: { code: 'CONFLICT', message: 'This contract is closed. Reopen it first' },
  CONTRACT_ENDING: { code: 'CONFLICT', message: 'This contract is set to end on {date}. Reopen it first' },
  CONTRACT_OPEN: { code: 'CONFLICT', message: 'This contract is open' },
  TERM_CHANGED: {
    code: 'CONFLICT',
    message: 'This contract has been renewed in the meantime. It is now in term {term}, which ends on {date}',
  },
  TERM_NOT_BEGUN: {
    code: 'CONFLICT',
    message: 'The current term does not begin until {date}. To renew it already, send its number, {term}, as "term"',
  },
  TERM_NOT_OVER: { code: 'BAD_REQUEST', message: 'Only an overdue contract can begin its next term today' },
  TERM_TOO_SHORT: { code: 'BAD_REQUEST', message: 'Renewal date must be after the first day of the term, {date}' },
  TERM_TOO_LATE: { code: 'BAD_REQUEST', message: 'Renewal date must be before the year 3000' },
  TERMS_FULL: { code: 'CONFLICT', message: 'This contract has had {term} terms, the most that one can have' },
  START_AFTER_TERM: { code: 'BAD_REQUEST', message: 'Start date must be before the end of the first term, {date}' },
  END_DAY_INVALID: { code: 'BAD_REQUEST', message: 'Choose today or a later day, up to the renewal date' },
  END_REASON_UNKNOWN: { code: 'BAD_REQUEST', message: 'Reason must be one of these: {reasons}' },
  DECIDED_SINCE: {
    code: 'CONFLICT',
    message: 'This is no longer the latest decision about the contract, so nothing was undone',
  },
  NOTHING_TO_UNDO: { code: 'CONFLICT', message: 'There is nothing to undo for this contract' },
  UNDO_OVERTAKEN: {
    code: 'CONFLICT',
    message: 'This can no longer be undone, because this has been changed since: {fields}',
  },
} as const
