import type { MessageKey } from '#shared/schemas/reminders.ts'

/** What names the email to a customer 14 days before the contract renews. */
export function aReminderKey(about: Pick<MessageKey, 'contractId' | 'renewalDate'>) {
  return { ...about, kind: 'reminder', offset: 14, recipient: 'customer', contactId: 0, channel: 'email' } as const
}
