/** A message of a few plain parts, written once for both its text and its HTML. */
export interface Letter {
  greeting: string
  paragraphs: string[]
  /** What is at stake, as label and value. */
  facts: [label: string, value: string][]
  closing: string[]
  /** Under the line: why somebody gets this. */
  note: string
  /** Where they can stop it. */
  unsubscribeUrl?: string | undefined
}

export function letterText({ greeting, paragraphs, facts, closing, note, unsubscribeUrl }: Letter): string {
  const stop = unsubscribeUrl ? `\nUnsubscribe: ${unsubscribeUrl}` : ''
  const table = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  return [greeting, ...paragraphs, table, closing.join('\n'), `-- \n${note}${stop}`].filter(Boolean).join('\n\n')
}

/** Readable without pictures, at any width, and in the dark. */
export function letterHtml(subject: string, letter: Letter): string {
  const { greeting, paragraphs, facts, closing, note, unsubscribeUrl } = letter
  const rows = facts.map(
    ([label, value]) => `<tr>
      <td class="dim" style="padding:6px 24px 6px 0;color:#52606d;white-space:nowrap;vertical-align:top">${escapeHtml(label)}</td>
      <td style="padding:6px 0;font-weight:600">${escapeHtml(value)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>
<body style="margin:0;padding:0;background:#f4f6f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="${CARD}"><tr><td style="padding:32px">
${[greeting, ...paragraphs].map(paragraph).join('\n')}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px">${rows.join('')}</table>
<p style="margin:0">${closing.map(escapeHtml).join('<br>')}</p>
</td></tr></table>
<p class="dim" style="max-width:560px;margin:16px auto 0;color:#52606d;font:13px/1.5 ${FONT}">${escapeHtml(note)}${unsubscribeUrl ? unsubscribeLink(unsubscribeUrl) : ''}</p>
</td></tr></table></body></html>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const CARD = `max-width:560px;background:#ffffff;border:1px solid #dfe3e8;border-radius:8px;color:#1f2933;font:16px/1.6 ${FONT};text-align:left`
const STYLE = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){body{background:#14171a!important}.card{background:#1f2328!important;border-color:#3a4048!important;color:#e6e9ec!important}.dim{color:#a7b1bc!important}}`

function unsubscribeLink(url: string): string {
  return `<br><a href="${escapeHtml(url)}" style="color:inherit">Unsubscribe</a>`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}
