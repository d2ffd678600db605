import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import { attentionLevel } from '#shared/domain/contract-term.ts'
import type { RowTone } from '#client/ui/data-table.tsx'

export const STATUS_COLORS: Record<ContractStatus, string> = {
  active: 'green',
  pending: 'yellow',
  expired: 'red',
  cancelled: 'gray',
}

/** A status or cycle as it is shown: 'active' as 'Active'. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function timeLeftText(daysLeft: number): string {
  return daysLeft < 0 ? `Overdue by ${days(-daysLeft)}` : `${days(daysLeft)} left`
}

/** Only an open contract stands out: an expired or cancelled one has been dealt with. */
export function contractTone({ status, daysLeft }: { status: ContractStatus; daysLeft: number }): RowTone | undefined {
  if (!isOpen(status)) return undefined
  const level = attentionLevel(daysLeft)
  if (level === 'overdue') return { color: 'red', text: 'Overdue' }
  return level === 'soon' ? { color: 'yellow', text: 'Expiring soon' } : undefined
}

export function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`
}
