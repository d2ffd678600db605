import { Group, Stack } from '@mantine/core'
import { CUSTOMER_SORTS } from '#shared/schemas/filters.ts'
import { DirectionToggle } from '#client/ui/lists/direction-toggle.tsx'
import { TagFilter } from '#client/tags/tag-filter.tsx'
import { FilterChip } from '#client/ui/lists/filter-chip.tsx'
import { FilterSelect } from '#client/ui/lists/filter-select.tsx'
import { SearchInput } from '#client/ui/lists/search-input.tsx'
import toolbar from '#client/ui/lists/toolbar.module.css'
import { formatMonth } from '#client/text/format.ts'
import { ALL } from './customer-filters.ts'
import type { CustomersSearch } from './customers-search.ts'

const SORT_LABELS: Record<CustomersSearch['sort'], string> = {
  name: 'Name',
  phone: 'Phone',
  customerNumber: 'Customer Number',
  createdAt: 'Date Added',
}
const SORTS = CUSTOMER_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))

interface CustomersToolbarProps {
  search: CustomersSearch
  /** This month. */
  month: string
  onFilter: (changes: Partial<CustomersSearch>) => void
}

export function CustomersToolbar({ search, month, onFilter }: CustomersToolbarProps) {
  return (
    <Stack gap="sm" p="md" role="search" aria-label="Customers">
      <QuickFilters search={search} month={month} onFilter={onFilter} />
      <Group gap="sm" className={toolbar.toolbar ?? ''}>
        <SearchInput
          label="Search customers"
          placeholder="Search by name, contact, email, phone, address, or number"
          value={search.search ?? ''}
          onSearch={(text) => onFilter({ search: text || undefined })}
        />
        <TagFilter tag={search.tag} onChoose={(tag) => onFilter({ tag })} />
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

/** A click sets a filter, the next click clears it. */
function QuickFilters({ search: { addedIn, withContracts = false, tag }, month, onFilter }: CustomersToolbarProps) {
  const isOther = addedIn !== undefined && addedIn !== month
  return (
    <Group gap="xs" role="group" aria-label="Quick filters" className={toolbar.quick ?? ''}>
      <FilterChip
        name="All"
        on={addedIn === undefined && !withContracts && tag === undefined}
        onClick={() => onFilter(ALL)}
      />
      <FilterChip
        name={isOther ? `Added in ${formatMonth(addedIn)}` : 'New This Month'}
        on={addedIn !== undefined}
        onClick={() => onFilter({ addedIn: addedIn === undefined ? month : undefined })}
      />
      <FilterChip
        name="With Contracts"
        on={withContracts}
        onClick={() => onFilter({ withContracts: withContracts ? undefined : true })}
      />
    </Group>
  )
}
