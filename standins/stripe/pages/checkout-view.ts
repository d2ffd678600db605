import { needsCard } from '#standins/stripe/checkout-completion.ts'
import { everyInterval, MERCHANT, money } from '#standins/stripe/merchant.ts'
import type { CheckoutSession, Price, Purchase } from '#standins/stripe/object-types.ts'
import { cardFields, emailField, knownEmail, summary, type CardFieldsProps } from './card-fields.ts'
import { html, type Html } from './html.ts'
import { brand, dateText, documentOf, footer, testCards } from './layout.ts'

export interface Offer {
  session: CheckoutSession
  purchase: Purchase
  price: Price
  productName: string
  now: number
}

export interface CheckoutProps extends CardFieldsProps {
  decline: string | null
}

export function checkoutPage(offer: Offer, props: CheckoutProps): string {
  return documentOf(
    titleOf(offer),
    html`<div class="columns">
      <aside class="side" aria-label="Order summary">${backLink(offer)} ${brand} ${summaryOf(offer)}</aside>
      <main class="main">${form(offer, props)} ${footer}</main>
    </div>`,
  )
}

function titleOf({ session, productName }: Offer): string {
  return hasTrial(session) ? `Try ${productName}` : `Subscribe to ${productName}`
}

function hasTrial({ amount_total }: CheckoutSession): boolean {
  return amount_total === 0
}

function backLink({ session }: Offer): Html | null {
  return session.cancel_url === null
    ? null
    : html`<p><a class="back" href="${session.cancel_url}">← Back to ${MERCHANT.name}</a></p>`
}

function summaryOf(offer: Offer): Html {
  const { session, purchase, price, productName } = offer
  const each = `${money(price.unit_amount * purchase.quantity, price.currency)}`
  const per = everyInterval(price.recurring)
  return html`<h1 class="offer">${titleOf(offer)}</h1>
    ${
      hasTrial(session)
        ? html`<p class="headline">${trialText(offer)}</p>
            <p class="soft">Then ${each} per ${per}</p>`
        : html`<p class="headline">${each} per ${per}</p>`
    }
    <dl class="rows">
      <div>
        <dt>${productName}${hasTrial(session) ? html`<small>${trialText(offer)}</small>` : null}</dt>
        <dd>${each}<small>per ${per}${hasTrial(session) ? ', after the trial' : null}</small></dd>
      </div>
      <div>
        <dt>Subtotal</dt>
        <dd>${each}</dd>
      </div>
      ${
        hasTrial(session)
          ? html`<div>
              <dt>Free trial</dt>
              <dd>−${each}</dd>
            </div>`
          : null
      }
      <div class="total">
        <dt>Total due today</dt>
        <dd>${money(session.amount_total, price.currency)}</dd>
      </div>
    </dl>`
}

function form(offer: Offer, props: CheckoutProps): Html {
  const { session, price } = offer
  const email = session.customer_details?.email ?? null
  return html`<form method="post" novalidate>
    ${props.decline ? html`<p class="alert" role="alert">${props.decline}</p>` : summary(props.mistakes)}
    <h2>Contact information</h2>
    ${email === null ? emailField(props) : knownEmail(email)}
    ${
      needsCard(session)
        ? html`<h2>Card</h2>
            ${cardFields(props)} ${testCards}`
        : html`<p class="notice">No card is needed today.</p>`
    }
    <button class="main-action full">
      ${hasTrial(session) ? 'Start trial' : `Pay ${money(session.amount_total, price.currency)}`}
    </button>
    <p class="small soft" style="margin-top: 1rem">${consent(offer)}</p>
  </form>`
}

function consent(offer: Offer): string {
  const { session, purchase, price } = offer
  const charge = `${money(price.unit_amount * purchase.quantity, price.currency)} per ${everyInterval(price.recurring)}`
  const from = hasTrial(session) ? ` from ${dateText(trialEnd(offer))} on` : ''
  return `You allow ${MERCHANT.name} to charge ${charge}${from}, until you cancel. You can do so at any time.`
}

function trialEnd({ purchase, now }: Offer): number {
  return purchase.trialEnd ?? now + (purchase.trialEndsAfterDays ?? 0) * 86_400
}

function trialText(offer: Offer): string {
  const days = Math.round((trialEnd(offer) - offer.now) / 86_400)
  return `${days} ${days === 1 ? 'day' : 'days'} free`
}
