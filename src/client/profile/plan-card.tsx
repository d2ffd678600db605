import { Badge, Button, SimpleGrid } from '@mantine/core'
import { formatDate, formatMoney } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { useBillingPortal } from '#client/api/use-billing-portal.ts'
import { Card, Fact } from '#client/ui/cards/card.tsx'

type Subscription = Outputs['billing']['subscription']

/** The plan, the next charge, and a button to Stripe's billing portal. */
export function PlanCard() {
  const [subscription] = trpc.billing.subscription.useSuspenseQuery()
  const portal = useBillingPortal()
  return (
    <Card
      title="TRAXX Pro"
      action={<Badge color={colorOf(subscription)}>{STATUS_NAMES.get(subscription.status) ?? 'No subscription'}</Badge>}
    >
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }}>
        <Fact name="Price">{formatMoney(subscription.price ?? LIST_PRICE)}/month</Fact>
        {factsOf(subscription).map(([name, text]) => (
          <Fact key={name} name={name}>
            {text}
          </Fact>
        ))}
      </SimpleGrid>
      {subscription.status !== 'none' && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} loading={portal.isOpening} onClick={portal.open}>
          Manage Subscription
        </Button>
      )}
    </Card>
  )
}

const LIST_PRICE = 29

function factsOf(subscription: Subscription): [name: string, text: string][] {
  const { status, access, trialDaysLeft, cancelAt, canceledAt, endedAt, pastDueSince, graceEndsAt } = subscription
  const days: [string, Date | null][] = [
    ['Past due since', status === 'past_due' ? pastDueSince : null],
    ['Update the card by', access === 'full' ? graceEndsAt : null],
    ['Canceled on', canceledAt],
    ['Ends on', endedAt ? null : cancelAt],
    ['Ended on', endedAt],
  ]
  return [
    ...(status === 'trialing' ? [['Trial', daysLeft(trialDaysLeft)] satisfies [string, string]] : []),
    ...nextCharge(subscription),
    ...days.flatMap(([name, day]): [string, string][] => (day ? [[name, formatDate(day)]] : [])),
  ]
}

/** None if the subscription was canceled, or while an earlier charge is unpaid. */
function nextCharge({ status, cancelAt, trialEnd, currentPeriodEnd, price }: Subscription): [string, string][] {
  const day = status === 'trialing' ? trialEnd : currentPeriodEnd
  if (!day || cancelAt || !['trialing', 'active'].includes(status)) return []
  return [['Next charge', `${formatMoney(price ?? LIST_PRICE)} on ${formatDate(day)}`]]
}

function daysLeft(days: number): string {
  return days === 1 ? '1 day left' : `${days} days left`
}

// The names of Stripe's statuses.
const STATUS_NAMES = new Map([
  ['trialing', 'Free trial'],
  ['active', 'Active'],
  ['past_due', 'Past due'],
  ['unpaid', 'Unpaid'],
  ['paused', 'Paused'],
  ['canceled', 'Canceled'],
  ['incomplete', 'Payment incomplete'],
  ['incomplete_expired', 'Payment expired'],
])

function colorOf({ access, status }: Subscription): string {
  if (access !== 'full') return 'red'
  return status === 'past_due' ? 'yellow' : 'green'
}
