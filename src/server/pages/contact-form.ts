import { CONTACT_LENGTHS, type ContactMessage } from '#shared/schemas/contact.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'

export type ContactField = keyof ContactMessage

/** What the form shows: what was typed, and what is wrong with it. */
export interface ContactForm {
  typed: Record<ContactField, string>
  wrong: Partial<Record<ContactField, string>>
  /** Why the message was not sent, where no field is to blame. */
  failure?: string
}

/** A field that people do not see: only a program fills it in. */
export const TRAP = 'website'

export const BLANK: ContactForm = { typed: { name: '', email: '', message: '' }, wrong: {} }

/** Works without any script; whatever was typed is shown as text. */
export function contactForm({ typed, wrong, failure }: ContactForm): string {
  const [first] = FIELDS.filter(({ name }) => wrong[name])
  const fields = FIELDS.map((field) => {
    const { name } = field
    return fieldOf(field, { value: typed[name], wrong: wrong[name], isFirst: field === first })
  })
  return `<form class="form" method="post" action="/contact" accept-charset="utf-8">
${failure ? `<p class="failure" role="alert">${escapeHtml(failure)}</p>` : ''}${fields.join('')}
<div class="trap" aria-hidden="true"><label>Leave this empty
<input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>
<button class="button">Send Message</button></form>`
}

export function contactSent({ name, email }: ContactMessage): string {
  return `<div class="sent" role="status"><h2>We got your message</h2>
<p>Thank you, ${escapeHtml(name)}. We will reply to ${escapeHtml(email)}.</p></div>`
}

interface Field {
  name: ContactField
  label: string
  attributes: string
}

const FIELDS: Field[] = [
  { name: 'name', label: 'Name', attributes: 'type="text" autocomplete="name"' },
  { name: 'email', label: 'Email address', attributes: 'type="email" autocomplete="email"' },
  { name: 'message', label: 'Message', attributes: 'rows="7"' },
]

interface FieldState {
  value: string
  wrong: string | undefined
  isFirst: boolean
}

function fieldOf({ name, label, attributes }: Field, { value, wrong, isFirst }: FieldState): string {
  const id = `contact-${name}`
  const state = wrong ? ` aria-invalid="true" aria-describedby="${id}-wrong"${isFirst ? ' autofocus' : ''}` : ''
  const common = `id="${id}" name="${name}" required maxlength="${CONTACT_LENGTHS[name]}" ${attributes}${state}`
  const control =
    name === 'message'
      ? // The first line end in it is dropped by browsers.
        `<textarea ${common}>\n${escapeHtml(value)}</textarea>`
      : `<input ${common} value="${escapeHtml(value)}">`
  const text = wrong ? `<p class="wrong" id="${id}-wrong">${escapeHtml(wrong)}</p>` : ''
  return `<div class="field"><label for="${id}">${label}</label>${control}${text}</div>`
}
