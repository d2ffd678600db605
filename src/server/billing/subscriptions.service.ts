import sql from 'sql-template-tag'
import { isLive } from '#shared/domain/access.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountContext } from '#server/context.ts'
import { subscriptionView, type SubscriptionView } from './subscription.view.ts'
import { syncSubscription, whileNobodySyncs } from './sync-subscription.ts'

const TRIAL_DAYS = 14

/** The account's subscription as it was last read from Stripe. */
export async function getSubscription({ read, accountId, services }: AccountContext): Promise<SubscriptionView> {
  const [row] = await read<StoredSubscription>(sql`
    select a.trial_used_at is not null as "trialUsed", s.status, s.trial_end as "trialEnd",
      s.current_period_end as "currentPeriodEnd", s.cancel_at as "cancelAt", s.ended_at as "endedAt",
      s.past_due_since as "pastDueSince", s.ever_paid_or_trialed as "everPaidOrTrialed"
    from accounts a left join subscriptions s on s.account_id = a.id where a.id = ${accountId}`)
  const now = services.billingNow()
  return subscriptionView(row?.status ? withDates(row, row.status) : null, { now, trialUsed: row?.trialUsed ?? false })
}

/** The same, read from Stripe now: the return from payment asks for it, ahead of any webhook. */
export async function refreshSubscription(ctx: AccountContext): Promise<SubscriptionView> {
  const customer = await storedCustomer(ctx)
  if (customer) await orUnavailable(syncSubscription(ctx, customer))
  return getSubscription(ctx)
}

/**
 * A hosted checkout for TRAXX Pro, with the trial where the account has not had one. Earlier open checkouts are closed.
 * @throws ALREADY_SUBSCRIBED, CHECKOUT_FAILED
 */
export async function startCheckout(ctx: AccountContext): Promise<{ sessionId: string; url: string }> {
  const customer = (await storedCustomer(ctx)) ?? (await createCustomer(ctx))
  return whileNobodySyncs(ctx, customer, async (sync) => {
    await orUnavailable(sync())
    const { status, trialUsed } = await getSubscription(ctx)
    if (isLive(status)) throw new AppError('ALREADY_SUBSCRIBED')
    return createSession(ctx, { customer, trialUsed }).catch((error: unknown) => {
      throw new AppError('CHECKOUT_FAILED', { cause: error })
    })
  })
}

/** Stripe's own page to change the card, see invoices, cancel or resume. @throws SUBSCRIPTION_NOT_FOUND, PORTAL_FAILED */
export async function openPortal(ctx: AccountContext): Promise<{ url: string }> {
  const customer = await storedCustomer(ctx)
  if (!customer) throw new AppError('SUBSCRIPTION_NOT_FOUND')
  try {
    const options = { customer, return_url: `${ctx.origin}/profile` }
    const { url } = await ctx.services.stripe.billingPortal.sessions.create(options)
    return { url }
  } catch (error) {
    throw new AppError('PORTAL_FAILED', { cause: error })
  }
}

async function orUnavailable(sync: Promise<void>) {
  try {
    await sync
  } catch (error) {
    throw new AppError('BILLING_UNAVAILABLE', { cause: error })
  }
}

// Asked of the database each time: what is remembered of a caller may be older than another process's checkout.
async function storedCustomer({ read, accountId }: AccountContext): Promise<string | null> {
  const [row] = await read<{ customer: string | null }>(
    sql`select stripe_customer_id as customer from accounts where id = ${accountId}`,
  )
  return row?.customer ?? null
}

async function createCustomer({ services, db, caller, callers }: AccountContext): Promise<string> {
  try {
    const { id } = await services.stripe.customers.create(
      { email: caller.email, metadata: { userId: caller.clerkUserId } },
      { idempotencyKey: `customer:${caller.clerkUserId}` },
    )
    await db.system.query('update accounts set stripe_customer_id = $2 where id = $1', [caller.id, id])
    callers.forget(caller.clerkUserId)
    return id
  } catch (error) {
    throw new AppError('CHECKOUT_FAILED', { cause: error })
  }
}

async function createSession(ctx: AccountContext, { customer, trialUsed }: { customer: string; trialUsed: boolean }) {
  const trial = trialUsed ? {} : { trial_period_days: TRIAL_DAYS }
  const { stripe } = ctx.services
  for await (const open of stripe.checkout.sessions.list({ customer, status: 'open' })) {
    await stripe.checkout.sessions.expire(open.id)
  }
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: ctx.caller.clerkUserId,
    line_items: [{ price: await priceId(ctx), quantity: 1 }],
    payment_method_collection: 'always',
    subscription_data: { ...trial, metadata: { userId: ctx.caller.clerkUserId } },
    success_url: `${ctx.origin}/checkout/success?session_id={CHECKOUT_SESSION_ID}${trialUsed ? '&trial=false' : ''}`,
    cancel_url: `${ctx.origin}/checkout?trial=true&canceled=true`,
  })
  if (!session.url) throw new Error('Stripe made a checkout session without an address')
  return { sessionId: session.id, url: session.url }
}

async function priceId({ services: { stripe, priceLookupKey } }: AccountContext): Promise<string> {
  const { data } = await stripe.prices.list({ lookup_keys: [priceLookupKey], active: true, limit: 1 })
  if (!data[0]) throw new Error(`Stripe has no active price with the lookup key ${priceLookupKey}`)
  return data[0].id
}

interface StoredSubscription {
  trialUsed: boolean
  /** Null where the account never had a subscription. */
  status: string | null
  trialEnd: string | null
  currentPeriodEnd: string | null
  cancelAt: string | null
  endedAt: string | null
  pastDueSince: string | null
  everPaidOrTrialed: boolean | null
}

function withDates(row: StoredSubscription, status: string) {
  return {
    status,
    everPaidOrTrialed: row.everPaidOrTrialed ?? false,
    trialEnd: instant(row.trialEnd),
    currentPeriodEnd: instant(row.currentPeriodEnd),
    cancelAt: instant(row.cancelAt),
    endedAt: instant(row.endedAt),
    pastDueSince: instant(row.pastDueSince),
  }
}

function instant(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
