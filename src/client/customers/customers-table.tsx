import { Group, Text } from '@mantine/core'
import { formatDate } from '#client/text/format.ts'
import { EntityTable, type ListedRows } from '#client/list/entity-table.tsx'
import type { Column } from '#client/ui/lists/data-table.tsx'
import { Initials } from '#client/ui/initials.tsx'
import type { Customer } from './customer-form.ts'
import type { CustomersSearch } from './customers-search.ts'
import { NotificationsCheckbox } from './notifications-checkbox.tsx'

export function CustomersTable({ search, onFilter, ...table }: ListedRows<Customer, CustomersSearch>) {
  return (
    <EntityTable
      label="Customers"
      columns={COLUMNS}
      sorting={search}
      onSort={onFilter}
      nameOf={({ name }) => name}
      {...table}
    />
  )
}

const COLUMNS: Column<Customer, CustomersSearch['sort']>[] = [
  { header: 'Customer', sortBy: 'name', cell: (customer) => <WhoCell customer={customer} /> },
  { header: 'Contact Info', sortBy: 'phone', cell: ({ phone }) => phone ?? <Missing text="No phone" /> },
  { header: 'Email', cell: ({ email }) => email ?? <Missing text="No email" /> },
  {
    header: 'Notifications',
    cell: (customer) => <NotificationsCheckbox customer={customer} />,
  },
  {
    header: 'Customer Number',
    sortBy: 'customerNumber',
    cell: ({ customerNumber }) => customerNumber ?? <Missing text="N/A" />,
  },
  { header: 'Date Added', sortBy: 'createdAt', cell: ({ createdAt }) => formatDate(createdAt) },
]

function WhoCell({ customer }: { customer: Customer }) {
  return (
    <Group component="span" gap="sm" wrap="nowrap">
      <Initials>{Array.from(customer.name)[0]?.toUpperCase() ?? ''}</Initials>
      <span>
        <Text component="span" display="block" size="sm" fw={600}>
          {customer.name}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
          {customer.address ?? 'No address'}
        </Text>
      </span>
    </Group>
  )
}

function Missing({ text }: { text: string }) {
  return (
    <Text component="span" size="sm" c="dimmed">
      {text}
    </Text>
  )
}
