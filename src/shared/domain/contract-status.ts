export const CONTRACT_STATUSES = ['pending', 'active', 'expired', 'cancelled'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

/** Only these can be expiring, overdue, or in need of attention. */
export const OPEN_STATUSES: readonly ContractStatus[] = ['pending', 'active']

/** Contracts with this status make up the account's revenue. */
export const EARNING_STATUS: ContractStatus = 'active'

/** Whether contracts with this status count as revenue. */
export function earnsRevenue(status: ContractStatus): boolean {
  return status === EARNING_STATUS
}

/** Whether a contract with this status is pending or active, so that it can still renew. */
export function isOpen(status: ContractStatus): boolean {
  return OPEN_STATUSES.includes(status)
}
