import '@mantine/core/styles/List.layer.css'
import { Alert, List, Text } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'

interface UnreachableCardProps {
  /** Links to a customer. */
  link: (customer: { id: number; name: string }) => ReactNode
}

/** Customers whom no reminder can reach, and what is at stake. */
export function UnreachableCard({ link }: UnreachableCardProps) {
  const { data } = trpc.reminders.unreachable.useQuery()
  if (!data || data.total === 0) return null
  const { total, revenue, customers } = data
  return (
    <Alert
      color="yellow"
      role="region"
      icon={<ExclamationTriangleIcon aria-hidden />}
      title={
        total === 1
          ? `1 customer renewing soon has no usable email address: ${formatMoney(revenue)} at stake`
          : `${formatCount(total)} customers renewing soon have no usable email address: ${formatMoney(revenue)} at stake`
      }
    >
      <List size="sm" spacing={4}>
        {customers.map(({ customerId, customerName, email, reason, contracts, renewalDate, ...worth }) => (
          <List.Item key={customerId}>
            {link({ id: customerId, name: customerName })}: {formatMoney(worth.revenue)}
            {contracts > 1 && ` in ${contracts} contracts`}, renews {formatDay(renewalDate)}
            <Text component="span" size="sm" c="dimmed">
              {' '}
              {`(${REASONS[reason](email)})`}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

const REASONS: Record<
  Outputs['reminders']['unreachable']['customers'][number]['reason'],
  (to: string | null) => string
> = {
  no_address: () => 'no email address',
  opted_out: () => 'notifications are turned off',
  address_bounced: (to) => `email to ${to} bounced`,
  unsubscribed: () => 'unsubscribed',
  complained: () => 'reported an email as spam',
}
