import { MERCHANT } from '#standins/stripe/merchant.ts'
import { html, type Html } from './html.ts'
import { STYLE } from './style.ts'

/** A whole document. */
export function documentOf(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${title} · ${MERCHANT.name}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.text
}

export const brand = html`<p class="brand">
  <span class="mark" aria-hidden="true">${MERCHANT.name.charAt(0)}</span> ${MERCHANT.name}
  <span class="badge test">TEST MODE</span>
</p>`

export const footer = html`<footer>
  A local stand-in for Stripe. No real card is charged, and no card number is kept.
</footer>`

export const testCards = html`<div class="notice" role="note">
  <strong>Test cards</strong>, with any future date and any security code:
  <ul>
    <li><code>4242 4242 4242 4242</code> works</li>
    <li><code>4000 0000 0000 0002</code> is declined</li>
    <li><code>4000 0000 0000 9995</code> has insufficient funds</li>
    <li><code>4000 0000 0000 0341</code> is saved, and every later charge fails</li>
  </ul>
</div>`

/** A page that says one thing, and where to go from there. */
export function message(said: { title: string; text: string; link?: { href: string; label: string } | null }): string {
  const { title, text, link } = said
  return documentOf(
    title,
    html`<main class="alone">
      ${brand}
      <h1>${title}</h1>
      <p>${text}</p>
      ${link ? html`<p><a class="button" href="${link.href}">${link.label}</a></p>` : null} ${footer}
    </main>`,
  )
}

/** `November 21, 2026`, of a moment in Unix seconds. */
export function dateText(moment: number): string {
  return new Date(moment * 1000).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
