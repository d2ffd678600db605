import { createFileRoute, Outlet, redirect, useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { flag } from '#shared/schemas/filters.ts'
import { forgetDestination, rememberDestination } from '#client/browser/destination.ts'
import { PaletteButton } from '#client/palette/palette-button.tsx'
import type { Destination } from '#client/palette/palette-entry.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { awaitActivation } from '#client/shell/gate/activation.ts'
import { AppFrame } from '#client/shell/app-frame.tsx'
import { fetchBanners } from '#client/shell/banners/banners.tsx'
import { ShortcutKeys } from '#client/shortcuts/shortcut-keys.tsx'
import { gateOf, withoutParameter } from '#client/shell/gate/gate.ts'
import { GateFailure } from '#client/shell/gate/gate-failure.tsx'

const HOME = '/dashboard'
const PAID = 'stripe_success'
const FROM_PORTAL = 'portal_closed'
// The server remembers what a subscription opens for as long.
const ACCESS_MS = 30_000

const Search = z.object({ [PAID]: z.optional(flag()), [FROM_PORTAL]: z.optional(flag()) })

/** The screens that need a subscription. They show nothing before it is known. */
export const Route = createFileRoute('/_app')({
  // Every signed-in screen needs it.
  codeSplitGroupings: [],
  validateSearch: lenientSearch(Search),
  beforeLoad: async ({ context: { session, trpcClient, trpcUtils }, search, location, abortController, preload }) => {
    const refresh = async () => {
      const refreshed = await trpcClient.billing.refresh.mutate()
      trpcUtils.billing.subscription.setData(undefined, refreshed)
      return refreshed.screens
    }
    const isSignedIn = await session.signedInPerson()
    // The webhook of a change made there may not have arrived yet. If Stripe does not answer, use what is known.
    if (isSignedIn && search.portal_closed) await refresh().catch(() => {})
    const subscription = isSignedIn
      ? await trpcUtils.billing.subscription.fetch(undefined, { staleTime: ACCESS_MS })
      : null
    const hasPaid = search.stripe_success === true
    const gate = gateOf({ screens: subscription?.screens ?? null, hasPaid })
    if (!preload && gate === 'app' && !hasPaid) forgetDestination()
    if (!preload && gate !== 'app') rememberDestination(cleaned(location.href))
    if (gate === 'sign-in') {
      redirect({ to: '/sign-in/$', search: location.href === HOME ? {} : { redirect_url: location.href }, throw: true })
    }
    if (gate === 'checkout') redirect({ to: '/checkout', search: { trial: true }, throw: true })
    if (gate === 'activation') {
      await awaitActivation({ ask: refresh, signal: abortController.signal })
    }
    if (hasPaid || search.portal_closed) redirect({ href: cleaned(location.href), replace: true, throw: true })
  },
  // For the frame, which then keeps it fresh.
  loader: ({ context: { trpcUtils } }) => {
    void trpcUtils.notifications.unreadCount.prefetch(undefined, { staleTime: Infinity })
    void trpcUtils.answers.waiting.prefetch(undefined, { staleTime: Infinity })
    return fetchBanners(trpcUtils)
  },
  component: AppRoute,
  pendingMs: 0,
  errorComponent: GateFailure,
})

/** The address without the parameters that Stripe's pages add. */
function cleaned(href: string): string {
  return withoutParameter(withoutParameter(href, PAID), FROM_PORTAL)
}

function AppRoute() {
  const navigate = useNavigate()
  const go = ({ open, ...to }: Destination) => void navigate({ ...to, ...(open !== undefined && { search: { open } }) })
  return (
    <AppFrame palette={<PaletteButton onGo={go} />}>
      <Outlet />
      <ShortcutKeys onGo={go} />
    </AppFrame>
  )
}
