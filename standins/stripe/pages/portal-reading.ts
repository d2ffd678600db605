import { whereIs } from '#standins/stripe/lists.ts'
import { MERCHANT } from '#standins/stripe/merchant.ts'
import type { Subscription } from '#standins/stripe/object-types.ts'
import { isLive } from '#standins/stripe/subscription-life.ts'
import { find, findStored, listAll, listObjects } from '#standins/stripe/store.ts'
import type { Transaction } from '#standins/stripe/transaction.ts'
import { message } from './layout.ts'
import { PageProblem } from './page-problem.ts'
import type { Plan, Portal } from './portal-parts.ts'

const INVOICES_SHOWN = 24

/** Whose portal it is; refuses one that is unknown or has expired. */
export async function openPortal(tx: Transaction, id: string): Promise<{ customer: string; returnUrl: string | null }> {
  const session = await findStored(tx, 'billing_portal.session', id)
  if (!session) throw new PageProblem(404, UNKNOWN)
  const { customer, return_url: returnUrl } = session.data
  const owner = await find(tx, 'customer', customer)
  if (!owner || owner.deleted || session.hidden.expiresAt <= tx.now) throw new PageProblem(410, expired(returnUrl))
  return { customer, returnUrl }
}

export async function readPortal(tx: Transaction, id: string): Promise<Portal> {
  const { customer, returnUrl } = await openPortal(tx, id)
  const owner = await find(tx, 'customer', customer)
  const subscriptions = await listAll(tx, 'subscription', whereIs(['customer'], customer))
  const plans = await Promise.all(subscriptions.map((subscription) => planOf(tx, subscription)))
  const filters = whereIs(['customer'], customer)
  const invoices = await listObjects(tx, 'invoice', { filters, slice: { limit: INVOICES_SHOWN } })
  const card = owner && !owner.deleted ? owner.invoice_settings.default_payment_method : null
  const cardInUse = subscriptions.find(({ status }) => isLive(status))?.default_payment_method ?? card
  return {
    id,
    returnUrl,
    email: owner && !owner.deleted ? owner.email : null,
    plans,
    card: cardInUse === null ? null : await find(tx, 'payment_method', cardInUse),
    invoices,
  }
}

async function planOf(tx: Transaction, subscription: Subscription): Promise<Plan> {
  const product = await find(tx, 'product', subscription.items.data[0].price.product)
  return { subscription, productName: product?.name ?? 'Your plan' }
}

const UNKNOWN = message({ title: 'Page not found', text: 'There is no billing page at this address.' })

function expired(returnUrl: string | null): string {
  return message({
    title: 'This page has expired',
    text: `Open it again from ${MERCHANT.name}.`,
    link: returnUrl === null ? null : { href: returnUrl, label: `Return to ${MERCHANT.name}` },
  })
}
