import { Stack, Text, Title } from '@mantine/core'
import { failureText, SUBSCRIPTION_UNKNOWN } from '#client/api/failure-text.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { FrontCard } from '#client/ui/cards/front-card.tsx'

interface CheckoutFailureProps {
  error: unknown
  onRetry: () => void
  retrying?: boolean
}

/** Shown instead of checkout if the subscription could not be checked. */
export function CheckoutFailure({ error, ...retry }: CheckoutFailureProps) {
  return (
    <FrontCard>
      <Stack>
        <Title order={1} size="h2" ta="center">
          Checkout is not available
        </Title>
        <Text c="dimmed" ta="center">
          We could not check your subscription.
        </Text>
        <ErrorState message={failureText(error, SUBSCRIPTION_UNKNOWN)} {...retry} />
      </Stack>
    </FrontCard>
  )
}
