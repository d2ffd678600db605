import { createFileRoute, Outlet, redirect, useNavigate } from '@tanstack/react-router'
import { forgetDestination, rememberDestination } from '#client/destination.ts'
import { usePerson } from '#client/identity/use-person.ts'
import { PaletteButton } from '#client/palette/palette-button.tsx'
import type { Destination } from '#client/palette/palette-entry.ts'
import { flag, searchReader } from '#client/search-params.ts'
import { awaitActivation } from '#client/shell/activation.ts'
import { AppFrame } from '#client/shell/app-frame.tsx'
import { gateOf, withoutParameter } from '#client/shell/gate.ts'
import { GateFailure } from '#client/shell/gate-failure.tsx'

const HOME = '/dashboard'
const PAID = 'stripe_success'
// The server remembers what a subscription opens for as long.
const ACCESS_MS = 30_000

/** Every screen below is for those whose subscription opens it, and shows nothing before that is known. */
export const Route = createFileRoute('/_app')({
  validateSearch: searchReader<{ stripe_success?: boolean | undefined }>({ stripe_success: flag }),
  beforeLoad: async ({ context: { session, trpcClient, trpcUtils }, search, location, abortController, preload }) => {
    const subscription = (await session.whoIsThere())
      ? await trpcUtils.billing.subscription.fetch(undefined, { staleTime: ACCESS_MS })
      : null
    const hasPaid = search.stripe_success === true
    const gate = gateOf({ screens: subscription?.screens ?? null, hasPaid })
    if (!preload && gate === 'app' && !hasPaid) forgetDestination()
    if (!preload && gate !== 'app') rememberDestination(withoutParameter(location.href, PAID))
    if (gate === 'sign-in') {
      redirect({ to: '/sign-in/$', search: location.href === HOME ? {} : { redirect_url: location.href }, throw: true })
    }
    if (gate === 'checkout') redirect({ to: '/checkout', search: { trial: true }, throw: true })
    if (gate === 'activation') {
      const ask = async () => {
        const refreshed = await trpcClient.billing.refresh.mutate()
        trpcUtils.billing.subscription.setData(undefined, refreshed)
        return refreshed.screens
      }
      await awaitActivation({ ask, signal: abortController.signal })
    }
    if (hasPaid) redirect({ href: withoutParameter(location.href, PAID), replace: true, throw: true })
  },
  component: AppRoute,
  pendingMs: 0,
  errorComponent: GateFailure,
})

function AppRoute() {
  const { session } = Route.useRouteContext()
  const navigate = useNavigate()
  const go = ({ to, open }: Destination) => void navigate({ to, ...(open !== undefined && { search: { open } }) })
  return (
    <AppFrame
      person={usePerson(session)}
      palette={<PaletteButton onGo={go} />}
      onSignOut={() => void session.leave('/')}
    >
      <Outlet />
    </AppFrame>
  )
}
