import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { FrontCard } from '#client/ui/cards/front-card.tsx'
import type { CheckoutOutcome } from './checkout-outcome.ts'

const REDIRECT_AFTER_MS = 3000

const WORDS = {
  trial: {
    title: 'Your free trial has started!',
    text: 'Enjoy TRAXX Pro free for 14 days. After the trial it is $29/month. Cancel anytime.',
  },
  subscription: { title: 'Your subscription has started!', text: 'TRAXX Pro is $29/month. Cancel anytime.' },
  unconfirmed: { title: 'Thank you!', text: 'We are waiting for Stripe to confirm your payment.' },
}

interface CheckoutSuccessProps {
  outcome: CheckoutOutcome
  /** The dashboard, or the screen that was asked for before checkout. */
  continuesTo: string
}

/** Confirms the purchase, then opens the app. */
export function CheckoutSuccess({ outcome, continuesTo }: CheckoutSuccessProps) {
  if (outcome === 'signed-out') return <SignedOut />
  if (outcome === 'no-session') return <NoSession />
  if (outcome === 'trial-refused') return <TrialRefused />
  return <Started words={WORDS[outcome]} continuesTo={continuesTo} />
}

function Started({ words: { title, text }, continuesTo }: { words: typeof WORDS.trial; continuesTo: string }) {
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
          {title}
        </Title>
        <Text c="dimmed">{text}</Text>
        <Text size="sm">Taking you to {isHome ? 'your dashboard' : 'the page you wanted'}...</Text>
        <Button fullWidth onClick={openApp}>
          {isHome ? 'Go to Dashboard' : 'Continue'}
        </Button>
      </Stack>
    </FrontCard>
  )
}

/** Reveals nothing about the purchase, which may be another person's. */
function SignedOut() {
  return (
    <FrontCard>
      <Stack ta="center">
        <Title order={1} size="h2">
          Sign in to continue
        </Title>
        <Text c="dimmed">Sign in with the account you used at checkout to see your plan.</Text>
        <Button fullWidth renderRoot={(props) => <Link to="/sign-in/$" params={{ _splat: '' }} {...props} />}>
          Sign In
        </Button>
      </Stack>
    </FrontCard>
  )
}

function TrialRefused() {
  return (
    <FrontCard>
      <Stack ta="center" role="status">
        <Title order={1} size="h2">
          No second free trial
        </Title>
        <Text c="dimmed">This email address has already had a free trial. You were not charged.</Text>
        <Button fullWidth renderRoot={(props) => <Link to="/checkout" {...props} />}>
          See the Plan
        </Button>
      </Stack>
    </FrontCard>
  )
}

function NoSession() {
  return (
    <FrontCard>
      <Stack ta="center" role="alert">
        <Title order={1} size="h2">
          We could not find your checkout
        </Title>
        <Text c="dimmed">If you just paid, your plan is ready. Go to your dashboard.</Text>
        <Button fullWidth renderRoot={(props) => <Link to="/dashboard" {...props} />}>
          Go to Dashboard
        </Button>
      </Stack>
    </FrontCard>
  )
}
