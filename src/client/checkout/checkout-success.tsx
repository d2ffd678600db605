import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { FrontCard } from '#client/ui/front-card.tsx'

const GO_ON_AFTER_MS = 3000

/** Says that the trial has begun, then goes on to the dashboard. */
export function CheckoutSuccess({ sessionId }: { sessionId: string | undefined }) {
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
          Your free trial has started!
        </Title>
        <Text c="dimmed">Enjoy TRAXX Pro free for 14 days. After the trial it is $29/month. Cancel anytime.</Text>
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
