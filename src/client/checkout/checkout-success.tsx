import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { FrontCard } from '#client/ui/front-card.tsx'

const GO_ON_AFTER_MS = 3000
const TRIAL = 'Enjoy TRAXX Pro free for 14 days. After the trial it is $29/month. Cancel anytime.'
const PAID = 'TRAXX Pro is $29/month. Cancel anytime.'

/** Says that the trial has begun, or the subscription of somebody who had one, then goes on to the dashboard. */
export function CheckoutSuccess({ sessionId, isTrial }: { sessionId: string | undefined; isTrial: boolean }) {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ ...DASHBOARD, replace: true }), GO_ON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <FrontCard>
      <Stack align="center" ta="center" role="status">
        <ThemeIcon size={56} radius="xl" color="green" aria-hidden>
          <CheckIcon width={28} height={28} />
        </ThemeIcon>
        <Title order={1} size="h2">
          {isTrial ? 'Your free trial has started!' : 'Your subscription has started!'}
        </Title>
        <Text c="dimmed">{isTrial ? TRIAL : PAID}</Text>
        {sessionId && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Session ID: {sessionId}
          </Text>
        )}
        <Text size="sm">Taking you to your dashboard...</Text>
        <Button fullWidth renderRoot={(props) => <Link {...DASHBOARD} replace {...props} />}>
          Go to Dashboard
        </Button>
      </Stack>
    </FrontCard>
  )
}

const DASHBOARD = { to: '/dashboard', search: { stripe_success: true } } as const
