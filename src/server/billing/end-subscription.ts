import type { RequestContext } from '#server/context.ts'
import { closeCheckouts, findCustomer, readSubscription } from './stripe.ts'

type EndContext = Pick<RequestContext, 'db' | 'services'>

/**
 * Deletes a customer at Stripe, which cancels the subscription at once and removes the cards; past payments stay there.
 * Before that, `keepTrial` is called if there was a trial. Does nothing for a customer who is already deleted.
 */
export async function endSubscription(
  { db, services: { stripe } }: EndContext,
  customer: string,
  keepTrial: (usedAt: Date) => Promise<void>,
): Promise<void> {
  await db.oneAtATime(`subscription:${customer}`, async () => {
    if (!(await findCustomer(stripe, customer))) return
    await closeCheckouts(stripe, customer)
    const facts = await readSubscription(stripe, customer)
    if (facts?.trialUsedAt) await keepTrial(facts.trialUsedAt)
    await stripe.customers.del(customer)
  })
}
