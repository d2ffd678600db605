import { Group, NativeSelect } from '@mantine/core'
import { CaretSortIcon } from '@radix-ui/react-icons'
import { CUSTOMER_SORTS } from '#shared/domain/lists.ts'
import { DirectionToggle } from '#client/ui/direction-toggle.tsx'
import { SearchInput } from '#client/ui/search-input.tsx'
import toolbar from '#client/ui/toolbar.module.css'
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
  const sortBy = (value: string) => {
    const sort = CUSTOMER_SORTS.find((one) => one === value)
    if (sort) onFilter({ sort })
  }
  return (
    <Group gap="sm" p="md" className={toolbar.toolbar ?? ''} role="search" aria-label="Customers">
      <SearchInput
        label="Search customers"
        placeholder="Search by name, phone or customer number"
        value={search.search ?? ''}
        onSearch={(text) => onFilter({ search: text || undefined })}
      />
      <NativeSelect
        aria-label="Sort by"
        data={SORTS}
        rightSection={<CaretSortIcon aria-hidden />}
        value={search.sort}
        onChange={(event) => sortBy(event.currentTarget.value)}
      />
      <DirectionToggle direction={search.direction} onDirection={(direction) => onFilter({ direction })} />
    </Group>
  )
}
