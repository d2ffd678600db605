import { Alert, Badge, Button, SimpleGrid } from '@mantine/core'
import { formatInstant } from '#client/format.ts'
import { failureOf, trpc, type Answers } from '#client/trpc.ts'
import { Card, Fact } from './card.tsx'

type Subscription = Answers['billing']['subscription']

/** The plan, what comes next, and the way to the payment provider's own page about it. */
export function PlanCard() {
  const [subscription] = trpc.billing.subscription.useSuspenseQuery()
  const portal = trpc.billing.openPortal.useMutation({ onSuccess: ({ url }) => location.assign(url) })
  return (
    <Card title="TRAXX Pro" action={<Badge color={colorOf(subscription)}>{statusName(subscription.status)}</Badge>}>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }}>
        <Fact name="Price">$29.00/month</Fact>
        {subscription.status === 'trialing' && <Fact name="Trial">{daysLeft(subscription.trialDaysLeft)}</Fact>}
        {nextCharge(subscription) && <Fact name="Next charge">{day(nextCharge(subscription))}</Fact>}
        {subscription.cancelAt && <Fact name="Ends on">{day(subscription.cancelAt)}</Fact>}
      </SimpleGrid>
      {portal.error && (
        <Alert color="red" role="alert">
          {failureOf(portal.error).message}
        </Alert>
      )}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={portal.isPending || portal.isSuccess}
        onClick={() => portal.mutate()}
      >
        Manage subscription
      </Button>
    </Card>
  )
}

function nextCharge({ cancelAt, trialEnd, currentPeriodEnd, status }: Subscription): Date | null {
  if (cancelAt || status === 'canceled') return null
  return status === 'trialing' ? trialEnd : currentPeriodEnd
}

function daysLeft(days: number): string {
  return days === 1 ? '1 day left' : `${days} days left`
}

function statusName(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function colorOf({ access }: Subscription): string {
  return access === 'full' ? 'green' : 'yellow'
}

function day(value: Date | null): string {
  return value ? formatInstant(value, Intl.DateTimeFormat().resolvedOptions().timeZone) : ''
}
