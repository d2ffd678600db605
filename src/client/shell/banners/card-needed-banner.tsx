import { Alert, Button, Group, Text } from '@mantine/core'
import { readOnlyRefusal } from '#shared/domain/access.ts'
import { ACCESS_REFUSALS } from '#shared/refusals/access.ts'
import { formatDate } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { useBillingPortal } from '#client/api/use-billing-portal.ts'

type Subscription = Outputs['billing']['subscription']

/** Says until when a failed payment can be fixed, or why the account is read-only, with a button to fix it. */
export function CardNeededBanner({ subscription }: { subscription: Subscription }) {
  const portal = useBillingPortal()
  return (
    <Alert color={subscription.access === 'full' ? 'yellow' : 'red'} mb="md" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1} miw={240}>
          {textFor(subscription)}
        </Text>
        <Button size="xs" loading={portal.isOpening} onClick={portal.open}>
          Update Card
        </Button>
      </Group>
    </Alert>
  )
}

function textFor({ status, access, graceEndsAt }: Subscription): string {
  if (access !== 'full' || !graceEndsAt) return ACCESS_REFUSALS[readOnlyRefusal(status)].message
  return `Your last payment failed. Update your card by ${formatDate(graceEndsAt)}, or TRAXX will become read-only`
}
