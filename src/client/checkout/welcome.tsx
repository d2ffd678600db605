import { Anchor, Badge, Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { formatDate } from '#client/text/format.ts'
import { FrontCard } from '#client/ui/cards/front-card.tsx'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { AcceptedTerms } from './accepted-terms.tsx'
import { OrderSummary } from './order-summary.tsx'
import { PlanFeatures } from './plan-features.tsx'
import type { Checkout } from './use-checkout.ts'

const Address = onDemand(async () => (await import('#client/identity/verify-address.tsx')).VerifyAddress)

export interface Buyer {
  firstName: string | null
  email: string
}

interface WelcomeProps {
  buyer: Buyer
  subscription: {
    /** There is only one trial. */
    trialUsed: boolean
    /** Until when the data of a subscription that has ended is kept. */
    deletesAt: Date | null
  }
  checkout: Pick<Checkout, 'start' | 'isBusy' | 'error' | 'needsAddress' | 'reset'>
}

/** Checkout for somebody with an account: the plan, today's total, and the button to payment. */
export function Welcome({ buyer, subscription, checkout }: WelcomeProps) {
  const { trialUsed: hadTrial, deletesAt } = subscription
  const kept = useKeptFocus(String(checkout.needsAddress))
  return (
    <FrontCard width={520} footer={<Legal />}>
      <Stack gap="lg">
        <Title order={1} size="h2" ta="center">
          {titleFor(buyer, subscription)}
        </Title>
        {deletesAt && <DataKept until={deletesAt} />}
        {hadTrial && !deletesAt && <Text ta="center">{TRIAL_USED}</Text>}
        <Plan hadTrial={hadTrial} />
        <PlanFeatures />
        <OrderSummary hadTrial={hadTrial} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Account email: <strong>{buyer.email}</strong>. Your subscription is tied to this account.
        </Text>
        <Stack {...kept}>
          {checkout.needsAddress ? (
            <AddressFirst onVerified={checkout.reset} />
          ) : (
            <Start hadTrial={hadTrial} {...checkout} />
          )}
        </Stack>
      </Stack>
    </FrontCard>
  )
}

function Start({
  hadTrial,
  start,
  isBusy,
  error,
}: Pick<Checkout, 'start' | 'isBusy' | 'error'> & { hadTrial: boolean }) {
  const words = hadTrial ? SUBSCRIBE : START_TRIAL
  return (
    <>
      <Button size="md" onClick={start} disabled={isBusy} leftSection={isBusy && <Loader size="xs" aria-hidden />}>
        {isBusy ? words.busy : words.idle}
      </Button>
      <FormFailure>{error}</FormFailure>
    </>
  )
}

/** A trial takes a verified address, since each mailbox has only one. */
function AddressFirst({ onVerified }: { onVerified: () => void }) {
  const heading = useId()
  return (
    <Stack component="section" gap="xs" aria-labelledby={heading}>
      <Title order={2} size="h4" id={heading}>
        Verify your email address first
      </Title>
      <Text size="sm" c="dimmed">
        Then you can start your free trial.
      </Text>
      <Address.Part wanted onVerified={onVerified} />
    </Stack>
  )
}

function titleFor({ firstName }: Buyer, { trialUsed, deletesAt }: WelcomeProps['subscription']): string {
  if (deletesAt) return 'Your subscription has ended'
  if (trialUsed) return 'Subscribe to TRAXX Pro'
  return firstName ? `Welcome, ${firstName}!` : 'Welcome to TRAXX!'
}

function DataKept({ until }: { until: Date }) {
  return (
    <Text ta="center">
      Subscribe to continue where you left off. We will keep your account, customers, and contracts until{' '}
      <strong>{formatDate(until)}</strong>, and then delete them. Until then, you can{' '}
      <Anchor underline="always" renderRoot={(props) => <Link to="/your-data" {...props} />}>
        export them
      </Anchor>
      .
    </Text>
  )
}

const TRIAL_USED = 'The free trial for this email address has already been used.'
const START_TRIAL = { idle: 'Start Free Trial', busy: 'Setting up trial...' }
const SUBSCRIBE = { idle: 'Subscribe', busy: 'Setting up your checkout...' }

function Plan({ hadTrial }: { hadTrial: boolean }) {
  return (
    <Group justify="space-between" align="center">
      <Title order={2} size="h3">
        TRAXX Pro
      </Title>
      <Group gap="xs">
        <Text fw={650}>$29/month</Text>
        {!hadTrial && <Badge color="green">14-day free trial</Badge>}
      </Group>
    </Group>
  )
}

function Legal() {
  return (
    <Stack gap="xs">
      <AcceptedTerms />
      <Text size="sm" c="dimmed">
        Not right now?{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/your-data" {...props} />}>
          Export your data, sign out, or delete your account
        </Anchor>
      </Text>
    </Stack>
  )
}
