import { MERCHANT } from '#standins/stripe/merchant.ts'
import { periodOf } from '#standins/stripe/subscription-builder.ts'
import { cardFields, summary, type CardFieldsProps } from './card-fields.ts'
import { html, type Html } from './html.ts'
import { brand, dateText, documentOf, footer, testCards } from './layout.ts'
import { cardOf, home, invoicesOf, plansOf, type Plan, type Portal } from './portal-parts.ts'

export interface Notice {
  isGood: boolean
  text: string
}

export function portalPage(portal: Portal, notice: Notice | null): string {
  return framed(
    portal,
    'Billing',
    html`${notice ? html`<p class="alert ${notice.isGood ? 'good' : ''}" role="status">${notice.text}</p>` : null}
      <section>
        <h2>Current plan</h2>
        ${plansOf(portal)}
      </section>
      <section>
        <h2>Payment method</h2>
        ${cardOf(portal)}
      </section>
      <section>
        <h2 id="invoices">Invoice history</h2>
        ${invoicesOf(portal)}
      </section>`,
  )
}

export function cardPage(portal: Portal, props: CardFieldsProps & { decline: string | null }): string {
  return framed(
    portal,
    'Update card',
    html`<form method="post" novalidate>
      ${props.decline ? html`<p class="alert" role="alert">${props.decline}</p>` : summary(props.mistakes)}
      <h2>Update card</h2>
      ${cardFields(props)} ${testCards}
      <div class="actions">
        <button class="main-action">Update card</button>
        <a class="button" href="${home(portal)}">Go back</a>
      </div>
    </form>`,
  )
}

export function cancelPage(portal: Portal, { subscription, productName }: Plan): string {
  return framed(
    portal,
    'Cancel plan',
    html`<form method="post" action="${home(portal)}/cancel">
      <h2>Cancel ${productName}?</h2>
      <p>It stays available until ${dateText(periodOf(subscription).end)}, and nothing more is charged.</p>
      <input type="hidden" name="subscription" value="${subscription.id}" />
      <div class="actions">
        <button class="main-action">Cancel plan</button>
        <a class="button" href="${home(portal)}">Go back</a>
      </div>
    </form>`,
  )
}

function framed(portal: Portal, title: string, body: Html): string {
  return documentOf(
    title,
    html`<div class="columns portal">
      <aside class="side" aria-label="Account">
        ${brand}
        <h1>${title}</h1>
        <p class="soft">${portal.email ?? ''}</p>
        ${
          portal.returnUrl
            ? html`<p style="margin-top: 1.5rem"><a href="${portal.returnUrl}">← Return to ${MERCHANT.name}</a></p>`
            : null
        }
      </aside>
      <main class="main wide">${body} ${footer}</main>
    </div>`,
  )
}
