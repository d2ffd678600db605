import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { CONTRACT_SORTS, SORT_DIRECTIONS } from '#shared/domain/lists.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import type { ContractFilter } from '#shared/schemas/contracts.ts'
import { POSITION_DEFAULTS, POSITION_READERS, type ListPosition } from '#client/list/list-position.ts'
import { readOpened, type Opened } from '#client/list/open-param.ts'
import { flag, oneOf, oneOfInAnyCase, searchReader, text } from '#client/list/search-params.ts'

/** What the contracts page keeps in its address. */
export type ContractsSearch = ContractFilter & ListPosition & { open?: Opened | undefined }

/** What does not need to stand in the address. */
export const CONTRACTS_DEFAULTS = { direction: 'asc', ...POSITION_DEFAULTS } as const

export const contractsSearch = searchReader<ContractsSearch>(
  {
    search: text(200),
    status: oneOfInAnyCase(CONTRACT_STATUSES),
    cycle: oneOfInAnyCase(RENEWAL_CYCLES),
    expiring: flag,
    sort: oneOf(CONTRACT_SORTS),
    direction: oneOf(SORT_DIRECTIONS),
    ...POSITION_READERS,
    open: readOpened,
  },
  CONTRACTS_DEFAULTS,
)
