import sql from 'sql-template-tag'
import { z } from 'zod'
import { isLive } from '#shared/domain/access.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { OpenPortal, StartCheckout, SubscriptionOf } from '#shared/schemas/billing.ts'
import { instant } from '#server/db/columns.ts'
import { refuseApiKey, type AccountContext } from '#server/context.ts'
import { closeCheckouts } from './stripe.ts'
import { currentCustomer, customerForCheckout, storedCustomer } from './stripe-customer.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { subscriptionView, type SubscriptionView } from './subscription.view.ts'
import { syncSubscription, withSyncLock } from './sync-subscription.ts'

const TRIAL_DAYS = 14

const SubscribedRow = z.object({
  trialUsed: z.boolean(),
  isSuspended: z.boolean(),
  firstNoticeAt: instant.nullable(),
  lastNoticeAt: instant.nullable(),
  subscription: SubscriptionField,
})

/** The account's subscription as it was last read from Stripe. @throws NOT_SIGNED_IN if the account is being deleted */
export async function getSubscription({ read, accountId, services }: AccountContext): Promise<SubscriptionView> {
  const statement = sql`
    select a.trial_used_at is not null as "trialUsed", a.suspended_at is not null as "isSuspended", a.first_deletion_notice_at as "firstNoticeAt",
      a.last_deletion_notice_at as "lastNoticeAt", ${SUBSCRIPTION_JSON} as subscription
    from accounts a left join subscriptions s on s.account_id = a.id
    where a.id = ${accountId} and a.deleting_at is null`
  const [row] = await read(statement, SubscribedRow)
  if (!row) throw new AppError('NOT_SIGNED_IN')
  const { subscription, trialUsed, isSuspended, firstNoticeAt: firstAt, lastNoticeAt: lastAt } = row
  return subscriptionView(subscription, {
    now: services.billingNow(),
    trialUsed,
    isSuspended,
    notices: { firstAt, lastAt },
    keptDays: services.storage.keptDays.endedAccounts,
  })
}

/** The same with the customer's ID at Stripe, by user ID. @throws SUBSCRIPTION_NOT_FOUND for another user's */
export async function getSubscriptionOf(ctx: AccountContext, { userId }: SubscriptionOf) {
  if (userId !== ctx.caller.clerkUserId) throw new AppError('SUBSCRIPTION_NOT_FOUND')
  return { subscription: await getSubscription(ctx), customerId: await storedCustomer(ctx) }
}

/**
 * Reads the subscription from Stripe now: a browser that returns from checkout or portal does not wait for the webhook.
 * @throws BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
 */
export async function refreshSubscription(ctx: AccountContext): Promise<SubscriptionView> {
  const customer = await storedCustomer(ctx)
  if (customer) {
    await countCall(ctx)
    await orRefuse('BILLING_UNAVAILABLE', syncSubscription(ctx, customer))
  }
  return getSubscription(ctx)
}

/**
 * A hosted checkout for TRAXX Pro, with the trial where the account has not had one. Earlier open checkouts are closed.
 * @throws SUBSCRIPTION_NOT_FOUND for anybody else, TRIAL_UNVERIFIED, ALREADY_SUBSCRIBED, CHECKOUT_FAILED,
 * BILLING_UNAVAILABLE, IDENTITY_UNAVAILABLE, TOO_MANY_REQUESTS, and NOT_SIGNED_IN for an account that is being deleted
 */
export async function startCheckout(request: AccountContext, { userId }: StartCheckout = {}) {
  refuseApiKey(request)
  if (userId !== undefined && userId !== request.caller.clerkUserId) throw new AppError('SUBSCRIPTION_NOT_FOUND')
  await countCall(request)
  const ctx = request.caller.email === '' ? await withVerifiedAddress(request) : request
  const customer = await orRefuse('CHECKOUT_FAILED', customerForCheckout(ctx))
  return withSyncLock(ctx, customer, async (sync) => {
    // Closed first, so that no earlier checkout can be paid after the sync.
    await orRefuse('CHECKOUT_FAILED', closeCheckouts(ctx.services.stripe, customer))
    await orRefuse('BILLING_UNAVAILABLE', sync())
    const { status, trialUsed } = await getSubscription(ctx)
    if (isLive(status)) throw new AppError('ALREADY_SUBSCRIBED')
    const session = await orRefuse('CHECKOUT_FAILED', createSession(ctx, { customer, trialUsed }))
    // Another account of the mailbox may have begun its trial meanwhile, and closed the checkouts that existed then.
    if (trialUsed || !(await getSubscription(ctx)).trialUsed) return session
    await orRefuse('CHECKOUT_FAILED', closeCheckouts(ctx.services.stripe, customer))
    return orRefuse('CHECKOUT_FAILED', createSession(ctx, { customer, trialUsed: true }))
  })
}

/**
 * A first trial takes a verified address, since each mailbox has only one trial. Without a trial, none is needed, but Stripe
 * sends invoices to it.
 */
async function withVerifiedAddress(ctx: AccountContext): Promise<AccountContext> {
  const { status, trialUsed } = await getSubscription(ctx)
  const needsNone = trialUsed || isLive(status)
  const caller = await ctx.callers.refresh(ctx.caller).catch((error: unknown) => {
    if (needsNone && error instanceof AppError && error.key === 'IDENTITY_UNAVAILABLE') return ctx.caller
    throw error
  })
  if (caller.email === '' && !needsNone) throw new AppError('TRIAL_UNVERIFIED')
  return { ...ctx, caller }
}

/**
 * Stripe's own page to change the card, see invoices, cancel or resume.
 * @throws SUBSCRIPTION_NOT_FOUND, also for another account's, PORTAL_FAILED, TOO_MANY_REQUESTS
 */
export async function openPortal(ctx: AccountContext, { customerId }: OpenPortal = {}): Promise<{ url: string }> {
  refuseApiKey(ctx)
  await countCall(ctx)
  const customer = await orRefuse('PORTAL_FAILED', currentCustomer(ctx))
  if (!customer || (customerId !== undefined && customerId !== customer)) throw new AppError('SUBSCRIPTION_NOT_FOUND')
  const options = { customer, return_url: `${ctx.origin}/profile?portal_closed=true` }
  const { url } = await orRefuse('PORTAL_FAILED', ctx.services.stripe.billingPortal.sessions.create(options))
  return { url }
}

/** @throws TOO_MANY_REQUESTS */
function countCall({ limits, accountId }: AccountContext): Promise<void> {
  return limits.take('billingCalls', accountId)
}

async function orRefuse<T>(key: RefusalKey, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof AppError ? error : new AppError(key, { cause: error })
  }
}

async function createSession(ctx: AccountContext, { customer, trialUsed }: { customer: string; trialUsed: boolean }) {
  const trial = trialUsed ? {} : { trial_period_days: TRIAL_DAYS }
  const { stripe } = ctx.services
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: ctx.caller.clerkUserId,
    line_items: [{ price: await priceId(ctx), quantity: 1 }],
    payment_method_collection: 'always',
    subscription_data: { ...trial, metadata: { userId: ctx.caller.clerkUserId } },
    success_url: `${ctx.origin}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${ctx.origin}/checkout?trial=true&canceled=true`,
  })
  if (!session.id || !session.url) throw new Error('Stripe made a checkout session without an id or an address')
  return { sessionId: session.id, url: session.url }
}

async function priceId({ services: { stripe, priceLookupKey } }: AccountContext): Promise<string> {
  const { data } = await stripe.prices.list({ lookup_keys: [priceLookupKey], active: true, limit: 1 })
  if (!data[0]) throw new Error(`Stripe has no active price with the lookup key ${priceLookupKey}`)
  return data[0].id
}
