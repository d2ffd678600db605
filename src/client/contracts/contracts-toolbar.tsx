import { Button, Group, Stack } from '@mantine/core'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { CONTRACT_SORTS } from '#shared/schemas/filters.ts'
import { CYCLE_LABELS, STATUS_LABELS } from '#client/text/contract-words.ts'
import { DirectionToggle } from '#client/ui/direction-toggle.tsx'
import { FilterSelect } from '#client/ui/filter-select.tsx'
import { SearchInput } from '#client/ui/search-input.tsx'
import toolbar from '#client/ui/toolbar.module.css'
import type { ContractsSearch } from './contracts-search.ts'

const SORT_LABELS = { added: 'As added', amount: 'Amount', startDate: 'Start Date', renewalDate: 'Renewal Date' }
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
          onChoose={(sort) => sort && onFilter({ sort })}
        />
        <DirectionToggle direction={search.direction} onDirection={(direction) => onFilter({ direction })} />
      </Group>
    </Stack>
  )
}

function QuickFilters({ search: { status, expiring }, onFilter }: ContractsToolbarProps) {
  const filters = [
    { name: 'All', on: !status && !expiring, changes: { status: undefined, expiring: undefined } },
    { name: 'Active', on: status === 'active' && !expiring, changes: { status: 'active', expiring: undefined } },
    { name: 'Expiring Soon', on: expiring === true, changes: { status: undefined, expiring: true } },
  ] as const
  return (
    <Group gap="xs" role="group" aria-label="Quick filters">
      {filters.map(({ name, on, changes }) => (
        <Button
          key={name}
          size="xs"
          radius="xl"
          variant={on ? 'filled' : 'default'}
          aria-pressed={on}
          onClick={() => onFilter(changes)}
        >
          {name}
        </Button>
      ))}
    </Group>
  )
}
