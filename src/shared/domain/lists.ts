export const PAGE_SIZE = 10

export const SORT_DIRECTIONS = ['asc', 'desc'] as const
export const CONTRACT_SORTS = ['amount', 'startDate', 'renewalDate'] as const
export const CUSTOMER_SORTS = ['name', 'phone', 'customerNumber', 'createdAt'] as const
