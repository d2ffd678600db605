import type { MailLimit } from './mail-limits.ts'
import type { Delivery, DueMessage } from './reminder-delivery.ts'

/**
 * Decides what happens to the messages of one email that is over a limit, in their order. A reminder by hand or a repeat
 * does not wait for another day, nor do other messages in the same email.
 */
export function deliveriesOverLimit(messages: readonly DueMessage[], limit: MailLimit): Delivery[] {
  const mayWait = !messages.some(({ kind, isInterrupted }) => isInterrupted || kind === 'manual')
  return messages.map(({ isInterrupted }) => {
    if (mayWait) return { outcome: 'wait', for: limit }
    return isInterrupted ? { outcome: 'give_up' } : { outcome: 'skip', reason: 'limited' }
  })
}
