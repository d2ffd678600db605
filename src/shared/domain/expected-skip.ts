import { isOpen } from './contract-status.ts'
import type { Term } from './contract-term.ts'
import type { DueMessage } from './reminder-delivery.ts'

/** Why a waiting message would be skipped if it were sent now, judging by its contract and account alone. */
export function expectedSkip(
  { renewalDate, recipient }: Pick<DueMessage, 'renewalDate' | 'recipient'>,
  { contract, isMailStopped }: { contract: Term; isMailStopped: boolean },
): 'date_changed' | 'closed' | 'mail_stopped' | undefined {
  if (contract.renewalDate !== renewalDate) return 'date_changed'
  if (!isOpen(contract.status)) return 'closed'
  return recipient === 'customer' && isMailStopped ? 'mail_stopped' : undefined
}
