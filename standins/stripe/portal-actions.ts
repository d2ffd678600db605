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
import type { Transaction } from './transaction.ts'

/** Puts another card on file, and at once asks it for what is owed. */
export async function replaceCard(tx: Transaction, customer: string, details: CardDetails): Promise<Decline | null> {
  const card = await saveCard(tx, customer, details)
  await makeDefault(tx, customer, card.id)
  for (const { id } of await liveSubscriptions(tx, customer)) {
    const course = await ownSubscription(tx, customer, id)
    await changeSubscription(tx, course, { default_payment_method: card.id })
  }
  return payWhatIsOwed(tx, customer)
}

/** Charges every open invoice, and wakes what was paused for want of a card. The first refusal is the answer. */
export async function payWhatIsOwed(tx: Transaction, customer: string): Promise<Decline | null> {
  const declines: (Decline | null)[] = []
  for (const { id } of await liveSubscriptions(tx, customer)) {
    for (const invoice of await openInvoices(tx, id)) {
      const charged = await charge(tx, invoice, { isAutomatic: false })
      await afterCharge(tx, charged)
      declines.push(charged.decline)
    }
    const course = await ownSubscription(tx, customer, id)
    if (course.data.status === 'paused') declines.push((await resumeSubscription(tx, course)).decline)
  }
  return declines.find((decline) => decline !== null) ?? null
}

/** As Stripe's portal does it: the plan goes on to the end of what is paid for. */
export async function cancelAtPeriodEnd(tx: Transaction, customer: string, id: string): Promise<void> {
  const course = await ownSubscription(tx, customer, id)
  if (!isLive(course.data.status) || course.data.cancel_at !== null) return
  await changeSubscription(tx, course, cancelingAt(course.data, periodOf(course.data).end, tx.now))
}

export async function keepPlan(tx: Transaction, customer: string, id: string): Promise<void> {
  const course = await ownSubscription(tx, customer, id)
  if (isLive(course.data.status)) await changeSubscription(tx, course, notCanceling(course.data))
}

async function ownSubscription(tx: Transaction, customer: string, id: string): Promise<Stored<'subscription'>> {
  const course = await findStored(tx, 'subscription', id)
  if (course?.data.customer !== customer) throw missing('subscription', id)
  return course
}

async function liveSubscriptions(tx: Transaction, customer: string): Promise<Subscription[]> {
  const all = await listAll(tx, 'subscription', whereIs(['customer'], customer))
  return all.filter(({ status }) => isLive(status))
}

async function makeDefault(tx: Transaction, id: string, card: string): Promise<void> {
  const before = await customerNamed(tx, id)
  const invoice_settings = { ...before.invoice_settings, default_payment_method: card }
  const customer = { ...before, invoice_settings }
  await update(tx, { data: customer, hidden: {} })
  await emitChange(tx, 'customer.updated', { before, after: customer })
}
