import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { flag } from '#shared/schemas/filters.ts'
import { destinationOrHome } from '#client/browser/destination.ts'
import { CheckoutPage, CheckoutRouteFailure } from '#client/routes/-checkout-page.tsx'
import { lenientSearch } from '#client/list/lenient-search.ts'

const Search = z.object({ trial: z.optional(flag()), canceled: z.optional(flag()) })

export const Route = createFileRoute('/checkout/')({
  staticData: { title: 'Start your free trial' },
  validateSearch: lenientSearch(Search),
  beforeLoad: async ({ context: { session, trpcUtils }, search }) => {
    if (!(await session.signedInPerson())) return
    const { screens } = await trpcUtils.billing.subscription.fetch()
    if (screens !== 'checkout') redirect({ href: destinationOrHome(), replace: true, throw: true })
    if (!search.trial) redirect({ to: '/checkout', search: { ...search, trial: true }, replace: true, throw: true })
  },
  component: CheckoutRoute,
  pendingMs: 0,
  errorComponent: CheckoutRouteFailure,
})

function CheckoutRoute() {
  const { trial = false, canceled = false } = Route.useSearch()
  return <CheckoutPage trial={trial} canceled={canceled} />
}
