import { inColorScheme } from '#shared/letter-scheme.ts'

export interface StoredMessage {
  id: number
  sender: string
  recipients: string
  subject: string
  text: string
  html: string | null
  sentAt: Date
}

const STYLE = `
  :root { color-scheme: light dark; background: light-dark(#fff, #14171a); color: light-dark(#1f2933, #e6e9ec); --line: light-dark(#dfe3e8, #3a4048); --dim: light-dark(#52606d, #a7b1bc) }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 760px; padding: 24px 16px }
  h1 { font-size: 22px }
  ul { list-style: none; padding: 0 }
  li { border-top: 1px solid var(--line); padding: 12px 0 }
  a { color: light-dark(#0b6b57, #6fd3b9); font-weight: 600; overflow-wrap: anywhere }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px }
  dt, .dim { color: var(--dim) }
  dd { margin: 0; overflow-wrap: anywhere }
  pre { white-space: pre-wrap; border: 1px solid var(--line); border-radius: 8px; padding: 16px; font: inherit; overflow-wrap: anywhere }
  iframe { width: 100%; height: 600px; border: 1px solid var(--line); border-radius: 8px; background: #fff; margin-bottom: 16px }
  iframe.dark { background: #101318 }
  h2 { font-size: 18px }`

/** The messages, the latest first. */
export function listPage(messages: StoredMessage[]): string {
  const items = messages.map(
    (message) => `<li><a href="/dev/mailbox/${message.id}">${escape(message.subject)}</a>
      <div class="dim">to ${escape(message.recipients)}, ${when(message.sentAt)}</div></li>`,
  )
  const list = items.length > 0 ? `<ul>${items.join('')}</ul>` : '<p>No mail has been sent yet.</p>'
  return page('Development mailbox', `<h1>Development mailbox</h1>${list}`)
}

export function messagePage(message: StoredMessage): string {
  const { html } = message
  const frames = html === null ? '' : `<h2>As HTML</h2>${frame(html, 'light')}${frame(html, 'dark')}`
  return page(
    message.subject,
    `<p><a href="/dev/mailbox">All messages</a></p><h1>${escape(message.subject)}</h1>
    <dl><dt>From</dt><dd>${escape(message.sender)}</dd><dt>To</dt><dd>${escape(message.recipients)}</dd>
    <dt>Sent</dt><dd>${when(message.sentAt)}</dd></dl><h2>As text</h2><pre>${escape(message.text)}</pre>${frames}`,
  )
}

const TITLES = { light: 'The message in light mode', dark: 'The message in dark mode' }

function frame(html: string, scheme: keyof typeof TITLES): string {
  return `<iframe title="${TITLES[scheme]}" class="${scheme}" sandbox srcdoc="${escape(inColorScheme(html, scheme))}"></iframe>`
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
    <body><main>${body}</main></body></html>`
}

function when(date: Date): string {
  return `<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
