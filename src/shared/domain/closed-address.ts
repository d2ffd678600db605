/** Why the reader of an address gets no more mail from an account. */
export const CLOSED_REASONS = {
  unsubscribed: 'This person unsubscribed',
  complained: 'This person reported a message as spam',
} as const
export type ClosedReason = keyof typeof CLOSED_REASONS
