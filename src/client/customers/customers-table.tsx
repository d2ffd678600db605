import { Group, Text } from '@mantine/core'
import { formatDate } from '#client/text/format.ts'
import { DataTable, type Column } from '#client/ui/data-table.tsx'
import { Initials } from '#client/ui/initials.tsx'
import { RowActions } from '#client/ui/row-actions.tsx'
import type { Customer } from './customer-form.ts'
import type { CustomersSearch } from './customers-search.ts'
import { NotificationsCheckbox } from './notifications-checkbox.tsx'

interface CustomersTableProps {
  rows: Customer[]
  search: CustomersSearch
  busy: boolean
  onFilter: (changes: Partial<CustomersSearch>) => void
  onOpen: (customer: Customer) => void
  onEdit: (customer: Customer) => void
  onDelete: (customer: Customer) => void
}

export function CustomersTable({ rows, search, busy, onFilter, onOpen, ...acts }: CustomersTableProps) {
  const { sort, direction } = search
  const reverse = direction === 'asc' ? 'desc' : 'asc'
  return (
    <DataTable
      label="Customers"
      columns={columnsFor(acts)}
      rows={rows}
      rowKey={(customer) => customer.id}
      sort={{ field: sort, direction }}
      onSort={(field) => onFilter({ sort: field, direction: field === sort ? reverse : 'asc' })}
      onOpen={onOpen}
      busy={busy}
    />
  )
}

type Acts = Pick<CustomersTableProps, 'onEdit' | 'onDelete'>

function columnsFor(acts: Acts): Column<Customer, CustomersSearch['sort']>[] {
  return [
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
    {
      header: 'Actions',
      unlabelled: true,
      cell: (customer) => (
        <RowActions
          name={customer.name}
          onEdit={() => acts.onEdit(customer)}
          onDelete={() => acts.onDelete(customer)}
        />
      ),
    },
  ]
}

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
