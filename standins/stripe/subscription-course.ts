import { nextCycleEnd } from './billing-interval.ts'
import { charge, issueInvoice, openInvoices, stopCollecting, voidInvoice, type Charged } from './charging.ts'
import { emit, emitChange } from './events.ts'
import { newId } from './ids.ts'
import type { Invoice, Subscription } from './object-types.ts'
import { find, findStored, insert, update, type Stored } from './store.ts'
import { aSubscription, inPeriod, periodOf, type Terms } from './subscription-builder.ts'
import { endOfTrialWithoutCard, isLive, nextHappening, statusAfterFailure, type Life } from './subscription-life.ts'
import type { Transaction } from './transaction.ts'

type Course = Stored<'subscription'>

export interface Started {
  subscription: Subscription
  invoice: Invoice
  decline: Charged['decline']
}

/** Begins a subscription: its first invoice is paid at once where it is for nothing, or where `isCharged`. */
export async function startSubscription(tx: Transaction, terms: Terms, isCharged: boolean): Promise<Started> {
  const id = newId.invoice()
  const made: Subscription = { ...aSubscription(terms, tx.now), latest_invoice: id }
  const isTrial = made.status === 'trialing'
  await insertSubscription(tx, made)
  await emit(tx, 'customer.subscription.created', made)
  const period = periodOf(made)
  const issued = await issueInvoice(tx, made, { id, reason: 'subscription_create', period, isTrial })
  const mustCharge = isCharged || issued.amount_due === 0
  const { invoice, decline } = mustCharge
    ? await charge(tx, issued, { isAutomatic: false })
    : { invoice: issued, decline: null }
  const status = isTrial || invoice.status !== 'paid' ? made.status : 'active'
  const subscription: Subscription = { ...made, status }
  await saveSubscription(tx, made, { data: subscription, hidden: { reminded: false } })
  return { subscription, invoice, decline }
}

/** What the passing of time does to a subscription at the moment of this transaction. */
export async function live(tx: Transaction, id: string): Promise<void> {
  const course = await findStored(tx, 'subscription', id)
  const happening = course && nextHappening(lifeOf(course))
  if (!course || !happening || happening.at > tx.now) return
  switch (happening.what) {
    case 'trial will end':
      return announceEndOfTrial(tx, course)
    case 'trial ends':
      return endTrial(tx, course)
    case 'renews':
      return renew(tx, course)
    case 'canceled':
      return endSubscription(tx, course.data, course.data.cancellation_details.reason)
    case 'first payment given up':
      return giveUpFirstPayment(tx, course)
  }
}

/** What a charge that came later than the invoice makes of the subscription. */
export async function afterCharge(tx: Transaction, { invoice, decline }: Charged): Promise<void> {
  const course = await findStored(tx, 'subscription', invoice.parent.subscription_details.subscription)
  if (!course || !isLive(course.data.status)) return
  if (decline) {
    const status = statusAfterFailure(course.data.status, invoice.next_payment_attempt)
    if (status === 'canceled') await endSubscription(tx, course.data, 'payment_failed')
  } else if (course.data.latest_invoice === invoice.id && course.data.status !== 'trialing') {
    await changeSubscription(tx, course, { status: 'active' })
  }
}

export async function endSubscription(
  tx: Transaction,
  subscription: Subscription,
  reason: Subscription['cancellation_details']['reason'],
): Promise<void> {
  const ended: Subscription = {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? tx.now,
    ended_at: tx.now,
    cancellation_details: { ...subscription.cancellation_details, reason },
  }
  await update(tx, { data: ended, hidden: { reminded: true } })
  await stopCollecting(tx, ended.id)
  await emit(tx, 'customer.subscription.deleted', ended)
}

/** Begins a new cycle now, for a subscription that was paused. */
export async function resumeSubscription(tx: Transaction, course: Course): Promise<Charged> {
  const { data } = course
  const resumed: Subscription = { ...data, billing_cycle_anchor: tx.now, status: 'active' }
  const charged = await beginPeriod(tx, { data: resumed, hidden: course.hidden }, course.data)
  if (!charged.decline) await emit(tx, 'customer.subscription.resumed', await reloaded(tx, data))
  return charged
}

/** Saves what changed, and tells of it. */
export async function changeSubscription(
  tx: Transaction,
  course: Course,
  change: Partial<Subscription>,
): Promise<void> {
  await saveSubscription(tx, course.data, { ...course, data: { ...course.data, ...change } })
}

async function announceEndOfTrial(tx: Transaction, course: Course): Promise<void> {
  await saveSubscription(tx, course.data, { data: course.data, hidden: { reminded: true } })
  await emit(tx, 'customer.subscription.trial_will_end', course.data)
}

async function endTrial(tx: Transaction, course: Course): Promise<void> {
  const way = (await hasCard(tx, course.data))
    ? 'bill'
    : endOfTrialWithoutCard(course.data.trial_settings.end_behavior.missing_payment_method)
  if (way === 'cancel') return endSubscription(tx, course.data, null)
  if (way === 'bill') return renew(tx, course)
  const paused: Subscription = { ...course.data, status: 'paused' }
  await saveSubscription(tx, course.data, { ...course, data: paused })
  await emit(tx, 'customer.subscription.paused', paused)
}

async function renew(tx: Transaction, course: Course): Promise<void> {
  await beginPeriod(tx, { ...course, data: { ...course.data, status: 'active' } }, course.data)
}

/** Bills and enters the next period. `before` is what everybody was last told. */
async function beginPeriod(tx: Transaction, { data, hidden }: Course, before: Subscription): Promise<Charged> {
  const [{ price }] = data.items.data
  const period = { start: tx.now, end: nextCycleEnd(data.billing_cycle_anchor, price.recurring, tx.now) }
  const id = newId.invoice()
  const issued = await issueInvoice(tx, data, { id, reason: 'subscription_cycle', period, isTrial: false })
  const charged = await charge(tx, issued, { isAutomatic: true })
  const entered = { ...inPeriod(data, period), latest_invoice: id }
  const status = charged.decline ? 'past_due' : 'active'
  await saveSubscription(tx, before, { hidden, data: { ...entered, status } })
  return charged
}

async function giveUpFirstPayment(tx: Transaction, course: Course): Promise<void> {
  for (const invoice of await openInvoices(tx, course.data.id)) await voidInvoice(tx, invoice)
  await changeSubscription(tx, course, { status: 'incomplete_expired', ended_at: tx.now })
}

async function hasCard(tx: Transaction, { default_payment_method, customer }: Subscription): Promise<boolean> {
  if (default_payment_method !== null) return true
  const owner = await find(tx, 'customer', customer)
  return !!owner && !owner.deleted && owner.invoice_settings.default_payment_method !== null
}

async function insertSubscription(tx: Transaction, data: Subscription): Promise<void> {
  await insert(tx, { data, hidden: { reminded: false }, dueAt: dueAt({ data, hidden: { reminded: false } }) })
}

async function saveSubscription(tx: Transaction, before: Subscription, after: Course): Promise<void> {
  await update(tx, { ...after, dueAt: dueAt(after) })
  await emitChange(tx, 'customer.subscription.updated', { before, after: after.data })
}

async function reloaded(tx: Transaction, { id }: Subscription): Promise<Subscription> {
  const subscription = await find(tx, 'subscription', id)
  if (!subscription) throw new Error(`Subscription ${id} vanished within a transaction`)
  return subscription
}

function dueAt(course: Course): number | null {
  return nextHappening(lifeOf(course))?.at ?? null
}

function lifeOf({ data, hidden }: Course): Life {
  const { end } = periodOf(data)
  return {
    status: data.status,
    startedAt: data.created,
    trialEnd: data.trial_end,
    periodEnd: end,
    cancelAt: data.cancel_at_period_end ? end : data.cancel_at,
    reminded: hidden.reminded,
  }
}
