/** Why an account no longer writes to an address. */
export const CLOSED_REASONS = {
  unsubscribed: 'This person unsubscribed',
  complained: 'This person reported a message as spam',
} as const
export type ClosedReason = keyof typeof CLOSED_REASONS
