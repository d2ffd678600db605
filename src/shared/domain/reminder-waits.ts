// How long messages and accounts wait, in milliseconds. A clock that ran fast leaves instants too far in the future. Each
// bound is longer than any wait by a correct clock, so what exceeds it is processed now.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long a process that is sending a message is believed to be alive without renewing its claim. */
export const LEASE_MS = 5 * MINUTE_MS

/** How often a message is checked while the company has no name or mail to customers is paused. */
export const HELD_UP_MS = HOUR_MS

/** The waits after the first, second, and later failed tries; the last is the longest. */
export const RETRY_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS)

/** The wait for the next try after this many. */
export function retryWait(attempts: number): number {
  return RETRY_MS[attempts - 1] ?? Math.max(...RETRY_MS)
}

/** Exceeds any wait of a message whose hour has come: for the end of its lease, for another try, or held up. */
export const MOST_WHILE_DUE_MS = 2 * HOUR_MS

/** Exceeds any wait for a limit: for its next day, and for the account's hour after that. */
export const MOST_FOR_LIMIT_MS = 72 * HOUR_MS

/** Exceeds any wait of an account to be planned: until its hour of the next day. The longest day has 26 hours. */
export const MOST_UNTIL_PLANNED_MS = 27 * HOUR_MS
