import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { FrontCard } from '#client/ui/front-card.tsx'

const GO_ON_AFTER_MS = 3000
const TRIAL = 'Enjoy TRAXX Pro free for 14 days. After the trial it is $29/month. Cancel anytime.'
const PAID = 'TRAXX Pro is $29/month. Cancel anytime.'

interface CheckoutSuccessProps {
  sessionId: string | undefined
  isTrial: boolean
  /** The dashboard, or the screen for which somebody had come. */
  goesOnTo: string
}

/** Says that the trial has begun, or the subscription of somebody who had one, then goes on into the app. */
export function CheckoutSuccess({ sessionId, isTrial, goesOnTo }: CheckoutSuccessProps) {
  const navigate = useNavigate()
  const goOn = useCallback(() => void navigate({ href: goesOnTo, replace: true }), [navigate, goesOnTo])
  useEffect(() => {
    const timer = setTimeout(goOn, GO_ON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [goOn])
  const isHome = goesOnTo.startsWith('/dashboard?')
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
        <Text size="sm">Taking you to {isHome ? 'your dashboard' : 'the page you wanted'}...</Text>
        <Button fullWidth onClick={goOn}>
          {isHome ? 'Go to Dashboard' : 'Continue'}
        </Button>
      </Stack>
    </FrontCard>
  )
}
