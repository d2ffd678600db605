import { ContractFilter } from '#shared/schemas/contracts.ts'
import { ListPlace } from '#client/list-place.ts'

/** What the contracts page keeps in its address. */
export const ContractsSearch = ContractFilter.extend(ListPlace.shape)
export type ContractsSearch = ContractFilter & ListPlace

/** What does not need to stand in the address. */
export const CONTRACTS_DEFAULTS = { direction: 'asc', page: 1, skip: 0 } as const
