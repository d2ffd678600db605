import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { text } from '#shared/schemas/filters.ts'
import { destinationAfterPayment } from '#client/browser/destination.ts'
import { checkoutOutcome } from '#client/checkout/checkout-outcome.ts'
import { CheckoutSuccess } from '#client/checkout/checkout-success.tsx'
import { lenientSearch } from '#client/list/lenient-search.ts'

const Search = z.object({ session_id: z.optional(text(200)) })

const NO_SESSION = 'The page after checkout was opened without a session_id'

export const Route = createFileRoute('/checkout/success')({
  staticData: { title: 'Checkout' },
  // Keeps its loader out of the other screens' chunk.
  codeSplitGroupings: [['loader', 'component']],
  validateSearch: lenientSearch(Search),
  loaderDeps: ({ search }) => ({ sessionId: search.session_id }),
  loader: async ({ context: { session, trpcClient, trpcUtils }, deps: { sessionId } }) => {
    const isSignedIn = Boolean(await session.signedInPerson())
    if (isSignedIn && !sessionId) reportError(new Error(NO_SESSION))
    if (!isSignedIn || !sessionId)
      return { outcome: checkoutOutcome({ isSignedIn, sessionId, subscription: undefined }) }
    // If Stripe does not answer now, the dashboard's gate asks again.
    const subscription = await trpcClient.billing.refresh.mutate().catch(() => undefined)
    if (subscription) trpcUtils.billing.subscription.setData(undefined, subscription)
    return { outcome: checkoutOutcome({ isSignedIn, sessionId, subscription }) }
  },
  component: CheckoutSuccessRoute,
  pendingMs: 0,
})

function CheckoutSuccessRoute() {
  const { session_id: sessionId } = Route.useSearch()
  const { outcome } = Route.useLoaderData()
  const welcome = outcome === 'trial' ? sessionId : undefined
  return <CheckoutSuccess outcome={outcome} continuesTo={destinationAfterPayment(welcome)} />
}
