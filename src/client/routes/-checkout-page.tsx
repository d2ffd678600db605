import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { AcceptedTerms } from '#client/checkout/accepted-terms.tsx'
import { CheckoutFailure } from '#client/checkout/checkout-failure.tsx'
import { CheckoutScreen } from '#client/checkout/checkout-screen.tsx'
import { ClerkForms } from '#client/sign-in/clerk-forms.tsx'
import { SignUp } from '#client/sign-in/sign-up-form.tsx'
import { usePendingSignUp } from '#client/sign-in/use-pending-sign-up.ts'
import { usePerson } from '#client/identity/session-context.tsx'
import { hasJustSignedUp, rememberSignUp } from '#client/browser/just-signed-up.ts'
import { trpc } from '#client/api/trpc.ts'
import { FrontCard } from '#client/ui/cards/front-card.tsx'

interface CheckoutPageProps {
  trial: boolean
  canceled: boolean
}

/** The visitor's checkout screen, with the sign-up form if needed. */
export function CheckoutPage(props: CheckoutPageProps) {
  return (
    <ClerkForms>
      <Checkout {...props} />
    </ClerkForms>
  )
}

/** The checkout page when loading it has failed. */
export function CheckoutRouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <CheckoutFailure error={error} onRetry={() => void router.invalidate()} />
}

function Checkout({ trial, canceled }: CheckoutPageProps) {
  const user = usePerson()
  const hasPendingSignUp = usePendingSignUp()
  const subscription = trpc.billing.subscription.useQuery(undefined, { enabled: Boolean(user) })
  if (subscription.isError && !subscription.data) {
    const { error, refetch, isFetching } = subscription
    return <CheckoutFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  return (
    <CheckoutScreen
      buyer={user ? { firstName: user.firstName, email: user.primaryEmailAddress?.emailAddress ?? '' } : undefined}
      trial={trial}
      canceled={canceled}
      subscription={subscription.data}
      hasJustSignedUp={hasJustSignedUp()}
      hasPendingSignUp={hasPendingSignUp}
      signUp={<SignUpCard />}
    />
  )
}

function SignUpCard() {
  return (
    <FrontCard footer={<BelowSignUp />}>
      <SignUp title="Start Your Free Trial" lead={<Lead />} onSignedUp={rememberSignUp} />
    </FrontCard>
  )
}

function Lead() {
  return (
    <>
      <div>14 days free, then $29/month. Cancel anytime.</div>
      <div>Sign up to continue to Stripe checkout</div>
    </>
  )
}

/** The payment page opens right after the form, so the terms are named here. */
function BelowSignUp() {
  return (
    <Stack gap="xs">
      <Text c="dimmed">
        Already have an account?{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in/$" params={{ _splat: '' }} {...props} />}>
          Sign in
        </Anchor>
      </Text>
      <AcceptedTerms />
    </Stack>
  )
}
