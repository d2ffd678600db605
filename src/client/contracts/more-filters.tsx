import { Group } from '@mantine/core'
import { EXPIRING_WITHIN_DAYS } from '#shared/domain/contract-term.ts'
import { trpc } from '#client/api/trpc.ts'
import { formatMonth } from '#client/text/format.ts'
import { ANY_TERM } from './contract-filters.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { FilterChip } from './filter-chip.tsx'

interface MoreFiltersProps {
  search: ContractsSearch
  onFilter: (changes: Partial<ContractsSearch>) => void
  /** The focused filter was removed, since it cannot be set here. */
  onFocusedRemoved: () => void
}

/** Filters beside the quick ones: a click sets one, the next click clears it. */
export function MoreFilters({ search, onFilter, onFocusedRemoved }: MoreFiltersProps) {
  const { status, overdue, renewsWithin, noEmail, noPdf } = search
  const others = useFiltersSetElsewhere(search)
  const within = renewsWithin ?? EXPIRING_WITHIN_DAYS
  const filters = [
    { name: 'Overdue', on: overdue, off: ANY_TERM, set: { overdue: true } },
    {
      name: `Renews Within ${within} ${within === 1 ? 'Day' : 'Days'}`,
      on: renewsWithin !== undefined,
      off: ANY_TERM,
      set: { renewsWithin: within },
    },
    { name: 'Expired', on: status === 'expired', off: ANY_TERM, set: { status: 'expired' } },
    { name: 'No Email', on: noEmail, off: { noEmail: undefined }, set: { noEmail: true } },
    { name: 'No PDF', on: noPdf, off: { noPdf: undefined }, set: { noPdf: true } },
  ] as const
  return (
    <Group gap="xs" role="group" aria-label="More Filters">
      {filters.map(({ name, on = false, off, set }, index) => (
        // Clearing a filter can change its name, and must not take the focus from it.
        <FilterChip key={index} name={name} on={on} onClick={() => onFilter(on ? off : { ...off, ...set })} />
      ))}
      {others.map(({ name, off }) => (
        <FilterChip
          key={name}
          name={name}
          on
          onClick={() => {
            onFilter(off)
            onFocusedRemoved()
          }}
        />
      ))}
    </Group>
  )
}

/** Filters that are set by links from elsewhere, and can only be cleared here. */
function useFiltersSetElsewhere({ customerId, startedIn }: ContractsSearch) {
  const { data } = trpc.customers.get.useQuery({ id: customerId ?? 0 }, { enabled: customerId !== undefined })
  return [
    ...(customerId === undefined ? [] : [{ name: data?.name ?? 'One Customer', off: { customerId: undefined } }]),
    ...(startedIn ? [{ name: `Started in ${formatMonth(startedIn)}`, off: { startedIn: undefined } }] : []),
  ]
}
