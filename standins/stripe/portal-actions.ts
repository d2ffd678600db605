import { charge, openInvoices } from './charging.ts'
import { customerNamed } from './customer-lookup.ts'
import { emitChange } from './events.ts'
import { whereIs } from './lists.ts'
import type { Decline, Subscription } from './object-types.ts'
import type { CardDetails } from './payment-method-builder.ts'
import { saveCard } from './payment-methods.ts'
import { missing } from './problem.ts'
import { findStored, listAll, update, type Stored } from './store.ts'
import { periodOf } from './subscription-builder.ts'
import { cancelingAt, notCanceling } from './subscription-change.ts'
import { afterCharge, changeSubscription, resumeSubscription } from './subscription-course.ts'
import { isLive } from './subscription-life.ts'
import type { Turn } from './turn.ts'

/** Puts another card on file, and at once asks it for what is owed. */
export async function replaceCard(turn: Turn, customer: string, details: CardDetails): Promise<Decline | null> {
  const card = await saveCard(turn, customer, details)
  await makeDefault(turn, customer, card.id)
  for (const { id } of await liveSubscriptions(turn, customer)) {
    const course = await ownSubscription(turn, customer, id)
    await changeSubscription(turn, course, { default_payment_method: card.id })
  }
  return payWhatIsOwed(turn, customer)
}

/** Charges every open invoice, and wakes what was paused for want of a card. The first refusal is the answer. */
export async function payWhatIsOwed(turn: Turn, customer: string): Promise<Decline | null> {
  const declines: (Decline | null)[] = []
  for (const { id } of await liveSubscriptions(turn, customer)) {
    for (const invoice of await openInvoices(turn, id)) {
      const charged = await charge(turn, invoice, { isAutomatic: false })
      await afterCharge(turn, charged)
      declines.push(charged.decline)
    }
    const course = await ownSubscription(turn, customer, id)
    if (course.data.status === 'paused') declines.push((await resumeSubscription(turn, course)).decline)
  }
  return declines.find((decline) => decline !== null) ?? null
}

/** As Stripe's portal does it: the plan goes on to the end of what is paid for. */
export async function cancelAtPeriodEnd(turn: Turn, customer: string, id: string): Promise<void> {
  const course = await ownSubscription(turn, customer, id)
  if (!isLive(course.data.status) || course.data.cancel_at !== null) return
  await changeSubscription(turn, course, cancelingAt(course.data, periodOf(course.data).end, turn.now))
}

export async function keepPlan(turn: Turn, customer: string, id: string): Promise<void> {
  const course = await ownSubscription(turn, customer, id)
  if (isLive(course.data.status)) await changeSubscription(turn, course, notCanceling(course.data))
}

async function ownSubscription(turn: Turn, customer: string, id: string): Promise<Stored<'subscription'>> {
  const course = await findStored(turn, 'subscription', id)
  if (course?.data.customer !== customer) throw missing('subscription', id)
  return course
}

async function liveSubscriptions(turn: Turn, customer: string): Promise<Subscription[]> {
  const all = await listAll(turn, 'subscription', whereIs(['customer'], customer))
  return all.filter(({ status }) => isLive(status))
}

async function makeDefault(turn: Turn, id: string, card: string): Promise<void> {
  const before = await customerNamed(turn, id)
  const invoice_settings = { ...before.invoice_settings, default_payment_method: card }
  const customer = { ...before, invoice_settings }
  await update(turn, { data: customer, hidden: {} })
  await emitChange(turn, 'customer.updated', { before, after: customer })
}
