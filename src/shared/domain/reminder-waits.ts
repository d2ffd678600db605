// How long messages and accounts wait, in milliseconds. A clock that was ahead leaves instants behind that are too far
// away: each bound is longer than anything waits by a right clock, so whatever exceeds it is looked at now.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** After this long without a word nobody is believed to be at sending a message any more. */
export const LEASE_MS = 5 * MINUTE_MS

/** How long a message waits to be looked at again, while its company has no name or its mail to customers is paused. */
export const HELD_UP_MS = HOUR_MS

/** How long after the first try that the mail server did not take, the second and so on; the last is the longest. */
export const RETRY_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS)

/** How long a message that has been tried so often waits for the next try. */
export function retryWait(attempts: number): number {
  return RETRY_MS[attempts - 1] ?? Math.max(...RETRY_MS)
}

/** More than a message that somebody began to send waits: for the end of its lease, for another try, or held up. */
export const MOST_WHILE_SENDING_MS = 2 * HOUR_MS

/** More than a message waits on its day: for another try, held up, or for the account's hour. */
export const MOST_WHILE_DUE_MS = 27 * HOUR_MS

/** More than a message waits for a limit: for the limit's next day, and for the account's hour after that. */
export const MOST_FOR_LIMIT_MS = 72 * HOUR_MS

/** More than an account waits to be planned: until its hour of the next day. The longest day has 26 hours. */
export const MOST_UNTIL_PLANNED_MS = 27 * HOUR_MS
