import { Group, Text } from '@mantine/core'
import { formatDate } from '#client/text/format.ts'
import { EntityTable, type ListedRows } from '#client/list/entity-table.tsx'
import type { Column } from '#client/ui/lists/data-table.tsx'
import { TagBadges } from '#client/tags/tag-badges.tsx'
import { EmailText } from '#client/ui/email-text.tsx'
import { Initials } from '#client/ui/initials.tsx'
import type { Customer } from './customer-form.ts'
import type { CustomersSearch } from './customers-search.ts'
import classes from './customers-table.module.css'
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
  { header: 'Contact Info', sortBy: 'phone', cell: ({ phone }) => unbroken(phone) ?? <Missing text="No phone" /> },
  { header: 'Email', cell: ({ email }) => (email ? <Email>{email}</Email> : <Missing text="No email" />) },
  {
    header: 'Notifications',
    cell: (customer) => <NotificationsCheckbox customer={customer} />,
  },
  {
    header: 'Customer Number',
    sortBy: 'customerNumber',
    cell: ({ customerNumber }) => unbroken(customerNumber) ?? <Missing text="N/A" />,
  },
  {
    header: 'Date Added',
    sortBy: 'createdAt',
    cell: ({ createdAt }) => <span className={classes.date}>{formatDate(createdAt)}</span>,
  },
]

/** A longer email address takes more than one line. */
const LONGEST_EMAIL = 32

function Email({ children }: { children: string }) {
  if (children.length <= LONGEST_EMAIL) return <span className={classes.unbroken}>{children}</span>
  return (
    <span className={`${classes.long} ${classes.email}`} title={children}>
      <EmailText>{children}</EmailText>
    </span>
  )
}

/** The usual length of a number, which is easier to read on one line. */
const LONGEST_UNBROKEN = 20

/** A longer one takes two lines at most. */
function unbroken(number: string | null) {
  if (number === null) return null
  if (number.length > LONGEST_UNBROKEN)
    return (
      <span className={classes.long} title={number}>
        {number}
      </span>
    )
  return <span className={classes.unbroken}>{number}</span>
}

function WhoCell({ customer }: { customer: Customer }) {
  return (
    <Group component="span" gap="sm" wrap="nowrap">
      <Initials>{Array.from(customer.name)[0]?.toUpperCase() ?? ''}</Initials>
      <span>
        <Text component="span" className={classes.name ?? ''} title={customer.name} size="sm" fw={600}>
          {customer.name}
        </Text>
        <Text
          component="span"
          className={classes.address ?? ''}
          title={customer.address ?? undefined}
          size="xs"
          c="dimmed"
          fw={400}
        >
          {customer.address ?? 'No address'}
        </Text>
        <TagBadges tags={customer.tags} />
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
