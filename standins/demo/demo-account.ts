import type { ClerkClient } from '@clerk/fastify'
import { syncSubscription } from '#server/billing/sync-subscription.ts'
import type { RunningServer } from '#server/boot/local-environment.ts'
import { requireAccount, type Caller, type RequestContext } from '#server/context.ts'
import { adoptTimeZone, findCaller, openAccount } from '#server/identity/accounts.service.ts'
import { openLimits } from '#server/limits/limits.ts'

const TRIAL_DAYS = 14

/** The id of the demo's user, whom the first call creates. */
export async function openDemoUser(clerk: ClerkClient, signIn: { email: string; password: string }): Promise<string> {
  const emailAddress = [signIn.email]
  const { data: found } = await clerk.users.getUserList({ emailAddress })
  const name = { firstName: 'Dana', lastName: 'Whitfield' }
  const user = found[0] ?? (await clerk.users.createUser({ emailAddress, password: signIn.password, ...name }))
  return user.id
}

/** The demo's account, in its trial and in this machine's time zone, as a request would find it. */
export async function openDemoAccount(server: RunningServer, userId: string): Promise<RequestContext> {
  const { app, url, services, callers } = server
  const db = server.db.as('operator')
  const caller = (await openAccount(db.system, services.clerk, userId)) ?? null
  const limits = openLimits(server.db.as('traxx').system)
  const request: RequestContext = {
    db,
    actor: 'operator',
    security: () => {},
    services,
    callers,
    limits,
    log: app.log,
    origin: url,
    caller,
    viaApiKey: false,
  }
  const account = requireAccount(request)
  await adoptTimeZone(account, { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })
  if (!caller?.subscription) await subscribe(request, account.caller)
  return { ...request, caller: (await findCaller(db.system, userId)) ?? null }
}

// The keys make a second try answer what the first one has made.
async function subscribe(request: RequestContext, { id, clerkUserId, email }: Caller): Promise<void> {
  const { db, services } = request
  const { stripe, priceLookupKey } = services
  const metadata = { userId: clerkUserId }
  const customer = await stripe.customers.create({ email, metadata }, { idempotencyKey: `customer:${clerkUserId}` })
  await db.system.query('update accounts set stripe_customer_id = $2 where id = $1', [id, customer.id])
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id }, keyed('card', customer.id))
  const prices = await stripe.prices.list({ lookup_keys: [priceLookupKey], active: true, limit: 1 })
  await stripe.subscriptions.create(
    {
      customer: customer.id,
      items: prices.data.map(({ id: price }) => ({ price, quantity: 1 })),
      trial_period_days: TRIAL_DAYS,
      default_payment_method: card.id,
      metadata,
    },
    keyed('subscription', customer.id),
  )
  await syncSubscription(request, customer.id)
}

function keyed(what: string, customer: string) {
  return { idempotencyKey: `demo-${what}:${customer}` }
}
