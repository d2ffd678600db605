import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import { attentionLevel } from '#shared/domain/contract-term.ts'
import type { Renews } from '#shared/domain/renews.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { formatCount } from './format.ts'

const STATUS_COLORS: Record<ContractStatus, string> = {
  active: 'green',
  pending: 'yellow',
  expired: 'red',
  cancelled: 'gray',
}

export const STATUS_LABELS: Record<ContractStatus, string> = {
  active: 'Active',
  pending: 'Pending',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

export const CYCLE_LABELS: Record<RenewalCycle, string> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
}

export const RENEWS_LABELS: Record<Renews, string> = {
  by_agreement: 'By agreement',
  automatic: 'Automatically',
  never: 'Never',
}

/** A contract's status, and whether it is overdue. */
export function statusBadge(contract: { status: ContractStatus; daysLeft: number }): { color: string; text: string } {
  const { status } = contract
  const isOverdue = contractTone(contract)?.color === 'red'
  if (isOverdue) return { color: 'red', text: `${STATUS_LABELS[status]} · Overdue` }
  return { color: STATUS_COLORS[status], text: STATUS_LABELS[status] }
}

export function timeLeftText(daysLeft: number): string {
  return daysLeft < 0 ? `Overdue by ${days(-daysLeft)}` : `${days(daysLeft)} left`
}

interface ContractTone {
  color: 'red' | 'yellow'
  text: string
}

/** Only open contracts are marked: expired and cancelled ones need nothing. */
export function contractTone(contract: { status: ContractStatus; daysLeft: number }): ContractTone | undefined {
  const { status, daysLeft } = contract
  if (!isOpen(status)) return undefined
  const level = attentionLevel(daysLeft)
  if (level === 'overdue') return { color: 'red', text: 'Overdue' }
  return level === 'soon' ? { color: 'yellow', text: 'Expiring soon' } : undefined
}

export function days(count: number): string {
  return count === 1 ? '1 day' : `${formatCount(count)} days`
}
