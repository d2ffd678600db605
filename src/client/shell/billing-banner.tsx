import { trpc } from '#client/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'

const NEEDS_CARD = ['past_due', 'unpaid', 'paused']
const CardNeeded = onDemand(async () => (await import('./card-needed-banner.tsx')).CardNeededBanner)

/** Says that a card is needed, on every screen; hardly anybody's is, so the rest of it is fetched where it is. */
export function BillingBanner() {
  const { data: subscription } = trpc.billing.subscription.useQuery()
  if (!subscription || !NEEDS_CARD.includes(subscription.status)) return null
  return <CardNeeded.Part wanted subscription={subscription} />
}
