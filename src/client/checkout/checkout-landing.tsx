import { Button, Stack, Text, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { FrontCard } from '#client/ui/cards/front-card.tsx'
import { PlanFeatures } from './plan-features.tsx'

/** Checkout for a visitor who has not chosen to start a trial yet. */
export function CheckoutLanding() {
  const navigate = useNavigate()
  return (
    <FrontCard>
      <Stack>
        <Stack gap={4} ta="center">
          <Title order={1} size="h2">
            TRAXX Pro
          </Title>
          <Text c="dimmed">14 days free, then $29/month. Cancel anytime.</Text>
        </Stack>
        <PlanFeatures />
        <Button size="md" onClick={() => void navigate({ to: '/checkout', search: { trial: true } })}>
          Start Your Free Trial
        </Button>
        <Button
          size="md"
          variant="default"
          renderRoot={(props) => <Link to="/sign-in/$" params={{ _splat: '' }} {...props} />}
        >
          Sign In
        </Button>
      </Stack>
    </FrontCard>
  )
}
