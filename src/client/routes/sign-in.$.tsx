import { Anchor, Text } from '@mantine/core'
import { createFileRoute, Link, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { text } from '#shared/schemas/filters.ts'
import { destinationOrHome } from '#client/browser/destination.ts'
import { inAppPath } from '#client/browser/in-app-path.ts'
import { ClerkForms } from '#client/sign-in/clerk-forms.tsx'
import { ResetPassword } from '#client/sign-in/reset-password.tsx'
import { SignInForm } from '#client/sign-in/sign-in-form.tsx'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { GateFailure } from '#client/shell/gate/gate-failure.tsx'
import { FrontCard } from '#client/ui/cards/front-card.tsx'

const RESET = 'reset-password'
/** Skips the landing variant: this link is already the button. */
const TRIAL = { trial: true }
/** Needs an account and no subscription. */
const OPEN_TO_ALL = '/your-data'

const Search = z.object({ redirect_url: z.optional(text(2000)) })

export const Route = createFileRoute('/sign-in/$')({
  staticData: { title: 'Sign in' },
  validateSearch: lenientSearch(Search),
  beforeLoad: async ({ context: { session, trpcUtils }, search }) => {
    if (!(await session.signedInPerson())) return
    const { screens } = await trpcUtils.billing.subscription.fetch()
    const wanted = inAppPath(search.redirect_url, window.location.origin)
    if (screens === 'checkout' && wanted !== OPEN_TO_ALL) {
      redirect({ to: '/checkout', search: {}, replace: true, throw: true })
    }
    redirect({ href: wanted ?? destinationOrHome(), replace: true, throw: true })
  },
  component: SignInRoute,
  pendingMs: 0,
  errorComponent: GateFailure,
})

function SignInRoute() {
  const isReset = Route.useParams()._splat === RESET
  return (
    <FrontCard footer={isReset ? <BackToSignIn /> : <ToTrial />}>
      <ClerkForms>{isReset ? <ResetPassword /> : <SignInForm forgotten={<Forgotten />} />}</ClerkForms>
    </FrontCard>
  )
}

function Forgotten() {
  return (
    <Anchor
      size="sm"
      underline="always"
      style={{ alignSelf: 'flex-end' }}
      renderRoot={(props) => <Link to="/sign-in/$" params={{ _splat: RESET }} search={true} {...props} />}
    >
      Forgot password?
    </Anchor>
  )
}

function BackToSignIn() {
  return (
    <Anchor
      underline="always"
      renderRoot={(props) => <Link to="/sign-in/$" params={{ _splat: '' }} search={true} {...props} />}
    >
      Back to sign in
    </Anchor>
  )
}

function ToTrial() {
  return (
    <Text c="dimmed">
      New to TRAXX?{' '}
      <Anchor underline="always" renderRoot={(props) => <Link to="/checkout" search={TRIAL} {...props} />}>
        Start your free trial
      </Anchor>
    </Text>
  )
}
