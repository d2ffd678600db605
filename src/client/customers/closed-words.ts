import { CLOSED_REASONS, type ClosedReason } from '#shared/domain/closed-address.ts'
import type { Outputs } from '#client/api/trpc.ts'

export type MailClosed = NonNullable<Outputs['customers']['get']['mailClosed']>

export const CLOSED_LABELS: Record<ClosedReason, string> = {
  unsubscribed: 'Unsubscribed',
  complained: 'Reported as spam',
}

/** Why nothing is sent to an address, and who can change that. */
export function closedText(reason: ClosedReason): string {
  return `${CLOSED_REASONS[reason]}. Only they can turn messages on again, with the link in an earlier message.`
}
