import { createFileRoute, redirect } from '@tanstack/react-router'
import { destinationOrHome } from '#client/browser/destination.ts'
import { CheckoutPage, CheckoutRouteFailure } from '#client/routes/-checkout-page.tsx'
import { flag, searchReader } from '#client/list/search-params.ts'

type CheckoutSearch = { [Flag in 'trial' | 'canceled']?: boolean | undefined }

export const Route = createFileRoute('/checkout/')({
  staticData: { title: 'Start your free trial' },
  validateSearch: searchReader<CheckoutSearch>({ trial: flag, canceled: flag }),
  beforeLoad: async ({ context: { session, trpcUtils }, search }) => {
    if (!(await session.whoIsThere())) return
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
