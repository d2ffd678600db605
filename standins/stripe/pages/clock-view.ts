import type { RecentEvent } from '#standins/stripe/recent-events.ts'
import { html, type Html } from './html.ts'
import { brand, documentOf, footer } from './layout.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const STEPS = [
  { label: '+1 hour', name: 'seconds', value: HOUR },
  { label: '+1 day', name: 'seconds', value: DAY },
  { label: '+3 days', name: 'seconds', value: 3 * DAY },
  { label: '+7 days', name: 'seconds', value: 7 * DAY },
  { label: '+15 days', name: 'seconds', value: 15 * DAY },
  { label: '+1 month', name: 'months', value: 1 },
]

const TONES = new Map([
  ['delivered', 'good'],
  ['given up', 'bad'],
])

export function clockPage(shown: { now: number; offset: number; events: RecentEvent[] }): string {
  const { now, offset, events } = shown
  return documentOf(
    'Clock',
    html`<main class="sheet">
      ${brand}
      <h1>The stand-in's clock</h1>
      <p class="headline">${momentText(now)} UTC</p>
      <p class="soft">${ahead(offset)}. Trials end, plans renew and payments are tried again by this clock.</p>
      <form method="post" action="/__stripe/clock" class="actions" aria-label="Move the clock forward">
        ${STEPS.map(({ label, name, value }) => html`<button name="${name}" value="${value}">${label}</button>`)}
      </form>
      <section>
        <h2 id="events">Recent events</h2>
        ${events.length === 0 ? html`<p>Nothing has happened yet.</p>` : eventTable(events)}
      </section>
      ${footer}
    </main>`,
  )
}

function eventTable(events: RecentEvent[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="events">
    <table>
      <thead>
        <tr>
          <th scope="col">When (UTC)</th>
          <th scope="col">Event</th>
          <th scope="col">Delivery</th>
          <th scope="col">Tries</th>
          <th scope="col">Answer</th>
          <th scope="col"><span class="soft">Again</span></th>
        </tr>
      </thead>
      <tbody>
        ${events.map(eventRow)}
      </tbody>
    </table>
  </div>`
}

function eventRow({ id, type, created, state, tries, answer }: RecentEvent): Html {
  return html`<tr>
    <td class="moment">${momentText(created)}</td>
    <td>
      ${type}<span class="event-id soft"><br />${id}</span>
    </td>
    <td><span class="badge ${TONES.get(state) ?? ''}">${state}</span></td>
    <td>${tries}</td>
    <td>${answer ?? '–'}</td>
    <td>
      <form method="post" action="/__stripe/events/${id}/send">
        <button aria-label="Send again: ${type}">Send again</button>
      </form>
    </td>
  </tr>`
}

function ahead(offset: number): string {
  if (offset === 0) return 'The same as real time'
  const days = Math.floor(offset / DAY)
  const hours = Math.round((offset % DAY) / HOUR)
  return `Ahead of real time by ${days} ${days === 1 ? 'day' : 'days'} and ${hours} ${hours === 1 ? 'hour' : 'hours'}`
}

function momentText(moment: number): string {
  return new Date(moment * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
