import { Box, Button, Group, Stack } from '@mantine/core'
import { useRef, useState } from 'react'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { CONTRACT_SORTS } from '#shared/schemas/filters.ts'
import { CYCLE_LABELS, STATUS_LABELS } from '#client/text/contract-words.ts'
import { DirectionToggle } from '#client/ui/lists/direction-toggle.tsx'
import { FilterSelect } from '#client/ui/lists/filter-select.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { SearchInput } from '#client/ui/lists/search-input.tsx'
import toolbar from '#client/ui/lists/toolbar.module.css'
import { ALL, ANY_TERM, hasAny } from './contract-filters.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { FilterChip } from '#client/ui/lists/filter-chip.tsx'
import { ViewsRow } from './views-row.tsx'

const More = onDemand(async () => (await import('./more-filters.tsx')).MoreFilters)

const SORT_LABELS = {
  added: 'Date Added',
  openFirst: 'Next to renew',
  amount: 'Amount',
  startDate: 'Start Date',
  renewalDate: 'Renewal Date',
}
const STATUSES = CONTRACT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))
const CYCLES = RENEWAL_CYCLES.map((value) => ({ value, label: CYCLE_LABELS[value] }))
const SORTS = CONTRACT_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))

interface ContractsToolbarProps {
  search: ContractsSearch
  onFilter: (changes: Partial<ContractsSearch>) => void
}

export function ContractsToolbar({ search, onFilter }: ContractsToolbarProps) {
  return (
    <Stack gap="sm" p="md" role="search" aria-label="Contracts">
      <QuickFilters search={search} onFilter={onFilter} />
      <Group gap="sm" className={toolbar.toolbar ?? ''}>
        <SearchInput
          label="Search contracts"
          placeholder="Search by customer name"
          value={search.search ?? ''}
          onSearch={(text) => onFilter({ search: text || undefined })}
        />
        <FilterSelect
          label="Status"
          none="All Statuses"
          options={STATUSES}
          value={search.status}
          onChoose={(status) => onFilter({ status })}
        />
        <FilterSelect
          label="Renewal cycle"
          none="All Cycles"
          options={CYCLES}
          value={search.cycle}
          onChoose={(cycle) => onFilter({ cycle })}
        />
        <FilterSelect
          label="Sort by"
          options={SORTS}
          value={search.sort}
          onChoose={(sort) => sort && onFilter({ sort, ...(sort === 'openFirst' && { direction: 'asc' }) })}
        />
        <DirectionToggle
          direction={search.direction}
          // In reverse, open contracts would come last.
          disabled={search.sort === 'openFirst'}
          onDirection={(direction) => onFilter({ direction })}
        />
      </Group>
      <ViewsRow search={search} onSearch={onFilter} />
    </Stack>
  )
}

function QuickFilters({ search, onFilter }: ContractsToolbarProps) {
  const { status, expiring } = search
  const button = useRef<HTMLButtonElement>(null)
  const { isOpen, toggle } = useOpenedBy(hasAny(search, MORE))
  const filters = [
    { name: 'All', on: !hasAny(search, ALL), changes: ALL },
    { name: 'Active', on: status === 'active' && !expiring, changes: { ...ANY_TERM, status: 'active' } },
    {
      name: 'Expiring Soon',
      title: 'Renews this month',
      on: expiring === true,
      changes: { ...ANY_TERM, expiring: true },
    },
  ] as const
  return (
    <>
      <Group gap="xs" role="group" aria-label="Quick filters" className={toolbar.quick ?? ''}>
        {filters.map(({ changes, ...chip }) => (
          <FilterChip key={chip.name} {...chip} onClick={() => onFilter(changes)} />
        ))}
        <Button ref={button} size="xs" variant="subtle" aria-expanded={isOpen} onClick={toggle}>
          More Filters
        </Button>
      </Group>
      {isOpen && (
        <Box mih={30}>
          <More.Part wanted search={search} onFilter={onFilter} onFocusedRemoved={() => button.current?.focus()} />
        </Box>
      )}
    </>
  )
}

/** Opens by itself when one of its filters is set, and closes only by its button, so that nothing moves on a click. */
function useOpenedBy(isSet: boolean) {
  const [{ isOpen, wasSet }, setState] = useState({ isOpen: isSet, wasSet: isSet })
  if (isSet !== wasSet) setState({ isOpen: isOpen || isSet, wasSet: isSet })
  return { isOpen, toggle: () => setState({ isOpen: !isOpen, wasSet: isSet }) }
}

const { status: _status, expiring: _expiring, ...MORE } = ALL
