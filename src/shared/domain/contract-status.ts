export const CONTRACT_STATUSES = ['pending', 'active', 'expired', 'cancelled'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

/** Only these can be expiring, overdue or in need of attention: the others have been dealt with. */
export const OPEN_STATUSES: readonly ContractStatus[] = ['pending', 'active']

export function isOpen(status: ContractStatus): boolean {
  return OPEN_STATUSES.includes(status)
}
