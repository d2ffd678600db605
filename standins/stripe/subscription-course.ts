import { nextCycleEnd } from './billing-interval.ts'
import { charge, issueInvoice, openInvoices, stopCollecting, voidInvoice, type Charged } from './charging.ts'
import { emit, emitChange } from './events.ts'
import { newId } from './ids.ts'
import type { Invoice, Subscription } from './object-types.ts'
import { find, findStored, insert, update, type Stored } from './store.ts'
import { aSubscription, inPeriod, periodOf, type Terms } from './subscription-builder.ts'
import { endOfTrialWithoutCard, isLive, nextHappening, statusAfterFailure, type Life } from './subscription-life.ts'
import type { Turn } from './turn.ts'

type Course = Stored<'subscription'>

export interface Started {
  subscription: Subscription
  invoice: Invoice
  decline: Charged['decline']
}

/** Begins a subscription: its first invoice is paid at once where it is for nothing, or where `isCharged`. */
export async function startSubscription(turn: Turn, terms: Terms, isCharged: boolean): Promise<Started> {
  const id = newId.invoice()
  const made: Subscription = { ...aSubscription(terms, turn.now), latest_invoice: id }
  const isTrial = made.status === 'trialing'
  await insertSubscription(turn, made)
  await emit(turn, 'customer.subscription.created', made)
  const period = periodOf(made)
  const issued = await issueInvoice(turn, made, { id, reason: 'subscription_create', period, isTrial })
  const mustCharge = isCharged || issued.amount_due === 0
  const { invoice, decline } = mustCharge
    ? await charge(turn, issued, { isAutomatic: false })
    : { invoice: issued, decline: null }
  const status = isTrial || invoice.status !== 'paid' ? made.status : 'active'
  const subscription: Subscription = { ...made, status }
  await saveSubscription(turn, made, { data: subscription, hidden: { reminded: false } })
  return { subscription, invoice, decline }
}

/** What the passing of time does to a subscription at this turn's moment. */
export async function live(turn: Turn, id: string): Promise<void> {
  const course = await findStored(turn, 'subscription', id)
  const happening = course && nextHappening(lifeOf(course))
  if (!course || !happening || happening.at > turn.now) return
  switch (happening.what) {
    case 'trial will end':
      return announceEndOfTrial(turn, course)
    case 'trial ends':
      return endTrial(turn, course)
    case 'renews':
      return renew(turn, course)
    case 'canceled':
      return endSubscription(turn, course.data, course.data.cancellation_details.reason)
    case 'first payment given up':
      return giveUpFirstPayment(turn, course)
  }
}

/** What a charge that came later than the invoice makes of the subscription. */
export async function afterCharge(turn: Turn, { invoice, decline }: Charged): Promise<void> {
  const course = await findStored(turn, 'subscription', invoice.parent.subscription_details.subscription)
  if (!course || !isLive(course.data.status)) return
  if (decline) {
    const status = statusAfterFailure(course.data.status, invoice.next_payment_attempt)
    if (status === 'canceled') await endSubscription(turn, course.data, 'payment_failed')
  } else if (course.data.latest_invoice === invoice.id && course.data.status !== 'trialing') {
    await changeSubscription(turn, course, { status: 'active' })
  }
}

export async function endSubscription(
  turn: Turn,
  subscription: Subscription,
  reason: Subscription['cancellation_details']['reason'],
): Promise<void> {
  const ended: Subscription = {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? turn.now,
    ended_at: turn.now,
    cancellation_details: { ...subscription.cancellation_details, reason },
  }
  await update(turn, { data: ended, hidden: { reminded: true } })
  await stopCollecting(turn, ended.id)
  await emit(turn, 'customer.subscription.deleted', ended)
}

/** Begins a new cycle now, for a subscription that was paused. */
export async function resumeSubscription(turn: Turn, course: Course): Promise<Charged> {
  const { data } = course
  const resumed: Subscription = { ...data, billing_cycle_anchor: turn.now, status: 'active' }
  const charged = await beginPeriod(turn, { data: resumed, hidden: course.hidden }, course.data)
  if (!charged.decline) await emit(turn, 'customer.subscription.resumed', await reloaded(turn, data))
  return charged
}

/** Saves what changed, and tells of it. */
export async function changeSubscription(turn: Turn, course: Course, change: Partial<Subscription>): Promise<void> {
  await saveSubscription(turn, course.data, { ...course, data: { ...course.data, ...change } })
}

async function announceEndOfTrial(turn: Turn, course: Course): Promise<void> {
  await saveSubscription(turn, course.data, { data: course.data, hidden: { reminded: true } })
  await emit(turn, 'customer.subscription.trial_will_end', course.data)
}

async function endTrial(turn: Turn, course: Course): Promise<void> {
  const way = (await hasCard(turn, course.data))
    ? 'bill'
    : endOfTrialWithoutCard(course.data.trial_settings.end_behavior.missing_payment_method)
  if (way === 'cancel') return endSubscription(turn, course.data, null)
  if (way === 'bill') return renew(turn, course)
  const paused: Subscription = { ...course.data, status: 'paused' }
  await saveSubscription(turn, course.data, { ...course, data: paused })
  await emit(turn, 'customer.subscription.paused', paused)
}

async function renew(turn: Turn, course: Course): Promise<void> {
  await beginPeriod(turn, { ...course, data: { ...course.data, status: 'active' } }, course.data)
}

/** Bills and enters the next period. `before` is what everybody was last told. */
async function beginPeriod(turn: Turn, { data, hidden }: Course, before: Subscription): Promise<Charged> {
  const [{ price }] = data.items.data
  const period = { start: turn.now, end: nextCycleEnd(data.billing_cycle_anchor, price.recurring, turn.now) }
  const id = newId.invoice()
  const issued = await issueInvoice(turn, data, { id, reason: 'subscription_cycle', period, isTrial: false })
  const charged = await charge(turn, issued, { isAutomatic: true })
  const entered = { ...inPeriod(data, period), latest_invoice: id }
  const status = charged.decline ? 'past_due' : 'active'
  await saveSubscription(turn, before, { hidden, data: { ...entered, status } })
  return charged
}

async function giveUpFirstPayment(turn: Turn, course: Course): Promise<void> {
  for (const invoice of await openInvoices(turn, course.data.id)) await voidInvoice(turn, invoice)
  await changeSubscription(turn, course, { status: 'incomplete_expired', ended_at: turn.now })
}

async function hasCard(turn: Turn, { default_payment_method, customer }: Subscription): Promise<boolean> {
  if (default_payment_method !== null) return true
  const owner = await find(turn, 'customer', customer)
  return !!owner && !owner.deleted && owner.invoice_settings.default_payment_method !== null
}

async function insertSubscription(turn: Turn, data: Subscription): Promise<void> {
  await insert(turn, { data, hidden: { reminded: false }, dueAt: dueAt({ data, hidden: { reminded: false } }) })
}

async function saveSubscription(turn: Turn, before: Subscription, after: Course): Promise<void> {
  await update(turn, { ...after, dueAt: dueAt(after) })
  await emitChange(turn, 'customer.subscription.updated', { before, after: after.data })
}

async function reloaded(turn: Turn, { id }: Subscription): Promise<Subscription> {
  const subscription = await find(turn, 'subscription', id)
  if (!subscription) throw new Error(`Subscription ${id} vanished within a turn`)
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
