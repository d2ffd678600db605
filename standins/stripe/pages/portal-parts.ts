import { everyInterval, money } from '#standins/stripe/merchant.ts'
import type { Invoice, PaymentMethod, Subscription, SubscriptionStatus } from '#standins/stripe/object-types.ts'
import { periodOf } from '#standins/stripe/subscription-builder.ts'
import { isLive } from '#standins/stripe/subscription-life.ts'
import { html, type Html } from './html.ts'
import { dateText } from './layout.ts'

export interface Portal {
  id: string
  returnUrl: string | null
  email: string | null
  plans: Plan[]
  card: PaymentMethod | null
  invoices: Invoice[]
}

export interface Plan {
  subscription: Subscription
  productName: string
}

const STATUS: Record<SubscriptionStatus, { label: string; tone: string }> = {
  trialing: { label: 'Free trial', tone: 'good' },
  active: { label: 'Active', tone: 'good' },
  past_due: { label: 'Past due', tone: 'bad' },
  unpaid: { label: 'Unpaid', tone: 'bad' },
  paused: { label: 'Paused', tone: 'bad' },
  incomplete: { label: 'Incomplete', tone: 'bad' },
  incomplete_expired: { label: 'Expired', tone: '' },
  canceled: { label: 'Canceled', tone: '' },
}

const INVOICE_TONE: Record<Invoice['status'], string> = {
  draft: '',
  open: 'bad',
  paid: 'good',
  uncollectible: 'bad',
  void: '',
}

export function plansOf(portal: Portal): Html {
  const live = portal.plans.filter(({ subscription }) => isLive(subscription.status))
  const [latest] = portal.plans
  if (live.length > 0) return html`${live.map((plan) => planOf(portal, plan))}`
  if (!latest) return html`<p>You have no plan.</p>`
  return html`<p>You have no plan. ${latest.productName} ended on ${dateText(latest.subscription.ended_at ?? 0)}.</p>`
}

function planOf(portal: Portal, { subscription, productName }: Plan): Html {
  const [{ price, quantity }] = subscription.items.data
  const { label, tone } = STATUS[subscription.status]
  const each = `${money(price.unit_amount * quantity, price.currency)} per ${everyInterval(price.recurring)}`
  return html`<p class="plan">${productName} <span class="badge ${tone}">${label}</span></p>
    <p>${each}</p>
    <p class="soft">${whatComes(subscription)}</p>
    <div class="actions">${actionsOf(portal, subscription)}</div>`
}

function whatComes(subscription: Subscription): string {
  const { end } = periodOf(subscription)
  const [{ price, quantity }] = subscription.items.data
  const amount = money(price.unit_amount * quantity, price.currency)
  if (subscription.cancel_at !== null) return `Cancels on ${dateText(subscription.cancel_at)}`
  if (subscription.status === 'trialing') return `Trial ends ${dateText(end)}. Then your card is charged ${amount}.`
  if (subscription.status === 'active') return `Next charge: ${amount} on ${dateText(end)}`
  if (subscription.status === 'paused') return 'Your trial ended without a card. Add one to go on.'
  return `The last payment failed. Update your card, or try it again.`
}

function actionsOf(portal: Portal, { id, status, cancel_at }: Subscription): Html[] {
  const cancel = html`<a class="button" href="${home(portal)}/cancel?subscription=${id}">Cancel plan</a>`
  const renew = html`<form method="post" action="${home(portal)}/renew">
    <input type="hidden" name="subscription" value="${id}" />
    <button class="main-action">Renew plan</button>
  </form>`
  const retry = html`<form method="post" action="${home(portal)}/retry"><button>Try payment again</button></form>`
  const isOwing = status === 'past_due' || status === 'unpaid' || status === 'incomplete'
  return [...(isOwing ? [retry] : []), cancel_at === null ? cancel : renew]
}

export function cardOf(portal: Portal): Html {
  const update = html`<div class="actions"><a class="button" href="${home(portal)}/card">Update card</a></div>`
  if (!portal.card)
    return html`<p>No card on file.</p>
      ${update}`
  const { brand: name, last4, exp_month, exp_year } = portal.card.card
  const expiry = `${String(exp_month).padStart(2, '0')}/${exp_year}`
  return html`<p><span style="text-transform: capitalize">${name}</span> •••• ${last4}</p>
    <p class="soft">Expires ${expiry}</p>
    ${update}`
}

export function invoicesOf({ invoices }: Portal): Html {
  if (invoices.length === 0) return html`<p>There are no invoices yet.</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="invoices">
    <table>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">For</th>
          <th scope="col">Status</th>
          <th scope="col" class="amount">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${invoices.map(invoiceRow)}
      </tbody>
    </table>
  </div>`
}

function invoiceRow({ created, lines, status, total, currency }: Invoice): Html {
  return html`<tr>
    <td>${dateText(created)}</td>
    <td>${lines.data[0]?.description ?? ''}</td>
    <td><span class="badge ${INVOICE_TONE[status]}">${status.charAt(0).toUpperCase() + status.slice(1)}</span></td>
    <td class="amount">${money(total, currency)}</td>
  </tr>`
}

export function home({ id }: Portal): string {
  return `/__stripe/portal/${id}`
}
