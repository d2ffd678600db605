import '@mantine/core/styles/List.layer.css'
import { Alert, Button, List, Text } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { OUTBOX_DAYS } from '#shared/domain/reminder-forecast.ts'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'

interface UnreachableCardProps {
  /** Links to a customer. */
  link: (customer: { id: number; name: string }) => ReactNode
}

const FIRST = 5

/** Customers whom no reminder can reach, and what is at stake. */
export function UnreachableCard({ link }: UnreachableCardProps) {
  const { data } = trpc.reminders.unreachable.useQuery()
  const [isLong, setLong] = useState(false)
  if (!data || data.total === 0) return null
  const { total, revenue, customers } = data
  const unlisted = total - customers.length
  return (
    <Alert
      color="yellow"
      role="region"
      icon={<ExclamationTriangleIcon aria-hidden />}
      title={
        total === 1
          ? `1 customer who renews ${WITHIN} cannot be emailed: ${formatMoney(revenue)} at stake`
          : `${formatCount(total)} customers who renew ${WITHIN} cannot be emailed: ${formatMoney(revenue)} at stake`
      }
    >
      <List size="sm" spacing={4}>
        {customers
          .slice(0, isLong ? undefined : FIRST)
          .map(({ customerId, customerName, email, reason, contracts, renewalDate, ...worth }) => (
            <List.Item key={customerId}>
              {link({ id: customerId, name: customerName })}: {formatMoney(worth.revenue)}
              {contracts > 1 && ` in ${contracts} contracts`}, renews {formatDay(renewalDate)}
              <Text component="span" size="sm" c="dimmed">
                {' '}
                {`(${REASONS[reason](email)})`}
              </Text>
            </List.Item>
          ))}
        {isLong && unlisted > 0 && <List.Item>and {formatCount(unlisted)} more</List.Item>}
      </List>
      {customers.length > FIRST && (
        <Button size="xs" variant="default" mt="sm" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
          {isLong ? 'Show Fewer' : `Show ${formatCount(total - FIRST)} More`}
        </Button>
      )}
    </Alert>
  )
}

const WITHIN = `in the next ${OUTBOX_DAYS} days`

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
