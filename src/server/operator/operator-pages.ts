import { escapeHtml } from '#server/mail/escape-html.ts'
import { styleHash } from '#server/security/style-hash.ts'
import type { getOperatedAccount, getOverview, OperatedAccount, Reception } from './operator.service.ts'

type Overview = Awaited<ReturnType<typeof getOverview>>
type Account = Awaited<ReturnType<typeof getOperatedAccount>>

/** HTML that is escaped already. */
class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | null | Part[]

/** Joins parts of a page; what is no HTML is escaped, and null is nothing. */
function markup(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(texts.map((text, at) => text + written(parts[at] ?? null)).join(''))
}

function written(part: Part): string {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  return typeof part === 'object' ? part.map(written).join('') : escapeHtml(part.toString())
}

export function overviewPage({ jobs, messages, held, reception }: Overview): string {
  const states = messages.states.map(
    ({ state, count }) =>
      markup`<dt>${state}</dt>
        <dd>${count}</dd>`,
  )
  return page(
    'Operator',
    markup`${searchForm('')}
      <h2>Messages of the last day</h2>
      <dl>
        ${states}
        <dt>due now</dt>
        <dd>${messages.due}</dd>
        <dt>oldest due for</dt>
        <dd>${minutes(messages.oldestSeconds)}</dd>
      </dl>
      <h2>Suspended accounts and paused mail</h2>
      ${accountTable(held, 'No account is suspended, and no mail is paused.')}
      <h2>Bounces and complaints of 30 days</h2>
      ${receptionTable(reception)}
      <h2>Jobs</h2>
      ${table({
        name: 'Jobs',
        headings: ['Job', 'Last start (UTC)', 'Last end (UTC)'],
        rows: jobs.map(({ name, beganAt, endedAt }) => [name, instant(beganAt), endedAt ? instant(endedAt) : '–']),
        none: 'No job has run yet.',
      })}`,
  )
}

export function accountsPage(search: string, accounts: OperatedAccount[]): string {
  const none = 'No account has this ID or address.'
  return page('Accounts', markup`${searchForm(search)}${accountTable(accounts, none)}${back('/operator', 'Overview')}`)
}

export function accountPage(account: Account): string {
  const { id, email, createdAt, subscription, suspendedAt, suspensionReason, mailStoppedAt } = account
  const { holdings, storage, messages, mail } = account
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`
  const records = holdings.customers + holdings.contracts
  const path = `/operator/accounts/${id}`
  return page(
    `Account ${id}`,
    markup` <dl>
        <dt>Owner</dt>
        <dd>${email || 'no email address'}</dd>
        <dt>Since</dt>
        <dd>${instant(createdAt)}</dd>
        <dt>Subscription</dt>
        <dd>${subscription?.status ?? 'none'}</dd>
        <dt>Customers and contracts</dt>
        <dd>${records} of ${storage.customersAndContracts}</dd>
        <dt>PDFs</dt>
        <dd>${holdings.pdfs} of ${storage.pdfs}, ${megabytes(holdings.pdfBytes)} of ${megabytes(storage.pdfBytes)}</dd>
        <dt>Emails to customers today</dt>
        <dd>${mail.sentToday} of ${mail.limit}</dd>
        ${messages.map(
          ({ state, count }) =>
            markup`<dt>Emails of 30 days, ${state}</dt>
              <dd>${count}</dd>`,
        )}
        ${
          mailStoppedAt &&
          markup`<dt>Mail paused</dt>
            <dd>${instant(mailStoppedAt)}, because of complaints</dd>`
        }
        ${
          suspendedAt &&
          markup`<dt>Suspended</dt>
            <dd>${instant(suspendedAt)}: ${suspensionReason}</dd>`
        }
      </dl>
      ${mailStoppedAt && markup`<form method="post" action="${path}/resume-mail"><button>Resume mail to customers</button></form>`}
      ${
        suspendedAt
          ? markup`<form method="post" action="${path}/end-suspension"><button>End suspension</button></form>`
          : markup`<form method="post" action="${path}/suspend">
              <label for="reason">Reason, which the owner will read</label>
              <textarea id="reason" name="reason" rows="3" maxlength="500" required></textarea>
              <p>
                A suspended account can be read and exported, but nothing in it can be changed, and its customers get no
                mail.
              </p>
              <button>Suspend</button>
            </form>`
      }
      ${back('/operator', 'Overview')}`,
  )
}

export function messagePage(title: string, text: string): string {
  return page(
    title,
    markup`<p>${text}</p>
      ${back('/operator', 'Overview')}`,
  )
}

function page(title: string, content: Markup): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title} · TRAXX</title><style>${new Markup(STYLE)}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`.text
}

function searchForm(search: string): Markup {
  return markup`<form action="/operator/accounts">
    <label for="search">Account ID, or a part of its owner's email address</label>
    <input id="search" name="search" type="search" value="${search}" /><button>Search</button>
  </form>`
}

function accountTable(accounts: OperatedAccount[], none: string): Markup {
  return table({
    name: 'Accounts',
    headings: ['Account', 'Owner', 'Subscription', 'State'],
    rows: accounts.map(({ id, email, subscription, suspendedAt, mailStoppedAt }) => [
      linkTo(id),
      email,
      subscription?.status ?? 'none',
      [suspendedAt && 'suspended', mailStoppedAt && 'mail paused'].filter(Boolean).join(', '),
    ]),
    none,
  })
}

function receptionTable(reception: Reception[]): Markup {
  const share = (count: number, mails: number) => `${count} (${((100 * count) / mails).toFixed(1)}%)`
  return table({
    name: 'Bounces and complaints',
    headings: ['Account', 'Owner', 'Emails', 'Bounced', 'Complaints'],
    rows: reception.map(({ id, email, mails, bounced, complaints }) => [
      linkTo(id),
      email,
      mails,
      share(bounced, mails),
      share(complaints, mails),
    ]),
    none: 'No email has bounced, and nobody has complained.',
  })
}

interface Table {
  name: string
  headings: string[]
  rows: Part[][]
  /** What is said where there is no row. */
  none: string
}

/** A narrow window scrolls it sideways, also by the keyboard. */
function table({ name, headings, rows, none }: Table): Markup {
  if (rows.length === 0) return markup`<p>${none}</p>`
  const cells = (row: Part[]) => row.map((cell) => markup`<td>${cell}</td>`)
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${name}"><table>
    <thead><tr>${headings.map((heading) => markup`<th scope="col">${heading}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>`)}</tbody></table></div>`
}

function linkTo(id: number): Markup {
  return markup`<a href="/operator/accounts/${id}">${id}</a>`
}

function back(path: string, label: string): Markup {
  return markup`<p><a href="${path}">${label}</a></p>`
}

function instant(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ')
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)} min`
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0;background:light-dark(#f7f8fa,#14171e);color:light-dark(#171a21,#d5d9e2)}
main{max-width:60rem;margin:0 auto;padding:1.5rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
a{color:light-dark(#2f46dd,#9db0ff)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem}dt{color:light-dark(#5d6578,#8b93a7)}dd{margin:0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .75rem .4rem 0;border-bottom:1px solid light-dark(#dde1e9,#2b303c);white-space:nowrap}
label{display:block;margin-bottom:.25rem}
input,textarea{box-sizing:border-box;max-width:100%;width:24rem;padding:.5rem;font:inherit;color:inherit;background:light-dark(#fff,#1c212b);border:1px solid light-dark(#8b93a7,#5d6578);border-radius:.4rem}
textarea{display:block}
button{padding:.5rem 1rem;border:1px solid #2f46dd;border-radius:.4rem;background:#2f46dd;color:#fff;font:inherit;cursor:pointer}
button:focus-visible,input:focus-visible,textarea:focus-visible,a:focus-visible,.wide:focus-visible{outline:2px solid light-dark(#2f46dd,#9db0ff);outline-offset:2px}
@media(max-width:30rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}`

/** By which the pages' policy allows their style. */
export const OPERATOR_STYLE = styleHash(STYLE)
