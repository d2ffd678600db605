import { Group } from '@mantine/core'
import { CUSTOMER_SORTS } from '#shared/schemas/filters.ts'
import { DirectionToggle } from '#client/ui/lists/direction-toggle.tsx'
import { TagFilter } from '#client/tags/tag-filter.tsx'
import { FilterSelect } from '#client/ui/lists/filter-select.tsx'
import { SearchInput } from '#client/ui/lists/search-input.tsx'
import toolbar from '#client/ui/lists/toolbar.module.css'
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
  onFilter: (changes: Partial<CustomersSearch>) => void
}

export function CustomersToolbar({ search, onFilter }: CustomersToolbarProps) {
  return (
    <Group gap="sm" p="md" className={toolbar.toolbar ?? ''} role="search" aria-label="Customers">
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
  )
}
