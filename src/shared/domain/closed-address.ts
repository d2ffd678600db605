/** Why the reader of an address gets no more mail from an account. */
export const CLOSED_REASONS = {
  unsubscribed: 'The reader of this address unsubscribed',
  complained: 'The reader of this address reported a message',
} as const
export type ClosedReason = keyof typeof CLOSED_REASONS
