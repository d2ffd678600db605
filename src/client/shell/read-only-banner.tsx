import { Alert, Button, Group, Text } from '@mantine/core'
import { SCREEN_REFUSALS } from '#shared/screen-refusals.ts'
import { failureOf, trpc } from '#client/trpc.ts'

/** Says why nothing can be changed while a payment is overdue, and where to settle it. */
export function ReadOnlyBanner() {
  const { data: subscription } = trpc.billing.subscription.useQuery()
  const portal = trpc.billing.openPortal.useMutation({ onSuccess: ({ url }) => location.assign(url) })
  if (subscription?.screens !== 'app-read-only') return null
  return (
    <Alert color="yellow" mb="md" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {portal.error ? failureOf(portal.error).message : SCREEN_REFUSALS.PAYMENT_OVERDUE.message}
        </Text>
        <Button size="xs" loading={portal.isPending} onClick={() => portal.mutate()}>
          Update card
        </Button>
      </Group>
    </Alert>
  )
}
