import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { FrontCard } from '#client/ui/front-card.tsx'

const REDIRECT_AFTER_MS = 3000
const TRIAL = 'Enjoy TRAXX Pro free for 14 days. After the trial it is $29/month. Cancel anytime.'
const PAID = 'TRAXX Pro is $29/month. Cancel anytime.'

interface CheckoutSuccessProps {
  sessionId: string | undefined
  isTrial: boolean
  /** The dashboard, or the screen that was asked for before checkout. */
  continuesTo: string
}

/** Says that the trial or the subscription has started, then opens the app. */
export function CheckoutSuccess({ sessionId, isTrial, continuesTo }: CheckoutSuccessProps) {
  const navigate = useNavigate()
  const openApp = useCallback(() => void navigate({ href: continuesTo, replace: true }), [navigate, continuesTo])
  useEffect(() => {
    const timer = setTimeout(openApp, REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [openApp])
  const isHome = continuesTo.startsWith('/dashboard?')
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
        <Button fullWidth onClick={openApp}>
          {isHome ? 'Go to Dashboard' : 'Continue'}
        </Button>
      </Stack>
    </FrontCard>
  )
}
