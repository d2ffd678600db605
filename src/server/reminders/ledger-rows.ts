import type { Decision } from '#shared/domain/reminder-plan.ts'
import type { NewReminder } from './ledger.ts'
import { noticeOf, type Planning } from './notices.ts'
import type { SubjectRow } from './reminder-subject.ts'

/** What the ledger is told of a decision. What is unwanted anyway, or decided already, it is not told. */
export function ledgerRow(row: SubjectRow, decision: Decision, planning: Planning): NewReminder[] {
  const { verdict, kind, offset, day, recipient, channel } = decision
  if (verdict === 'closed' || verdict === 'off' || verdict === 'decided') return []
  const isNotice = verdict === 'due' && channel === 'in_app'
  const { contractId, customerId, customerName, renewalDate } = row
  return [
    {
      contractId,
      customerId,
      customerName,
      renewalDate,
      kind,
      offset,
      day,
      recipient,
      channel,
      state: stateOf(decision),
      reason: verdict === 'due' ? null : verdict,
      notice: isNotice ? noticeOf(row, decision, planning) : undefined,
    },
  ]
}

function stateOf({ verdict, channel }: Decision): 'planned' | 'sent' | 'skipped' {
  if (verdict !== 'due') return 'skipped'
  return channel === 'in_app' ? 'sent' : 'planned'
}
