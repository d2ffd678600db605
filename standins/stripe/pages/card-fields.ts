import type { Mistakes, Typed } from '#standins/stripe/card-form.ts'
import { html, type Html } from './html.ts'

interface Field {
  name: keyof Typed
  label: string
  autocomplete: string
  placeholder?: string
  inputmode?: string
}

export interface CardFieldsProps {
  typed: Typed
  mistakes: Mistakes
}

const NUMBER: Field = {
  name: 'number',
  label: 'Card number',
  autocomplete: 'cc-number',
  placeholder: '1234 1234 1234 1234',
  inputmode: 'numeric',
}
const EXPIRY: Field = {
  name: 'expiry',
  label: 'Expires (MM / YY)',
  autocomplete: 'cc-exp',
  placeholder: 'MM / YY',
  inputmode: 'numeric',
}
const CVC: Field = {
  name: 'cvc',
  label: 'Security code (CVC)',
  autocomplete: 'cc-csc',
  placeholder: 'CVC',
  inputmode: 'numeric',
}
const NAME: Field = { name: 'name', label: 'Name on card', autocomplete: 'cc-name' }
const EMAIL: Field = { name: 'email', label: 'Email', autocomplete: 'email', inputmode: 'email' }

export function cardFields(props: CardFieldsProps): Html {
  return html`${field(NUMBER, props)}
    <div class="pair">${field(EXPIRY, props)} ${field(CVC, props)}</div>
    ${field(NAME, props)}`
}

export function emailField(props: CardFieldsProps): Html {
  return field(EMAIL, props)
}

export function knownEmail(email: string): Html {
  return html`<div class="field">
    <label for="email">Email</label>
    <input id="email" value="${email}" readonly />
  </div>`
}

/** Says at the top how many fields want another look. */
export function summary(mistakes: Mistakes): Html | null {
  const count = Object.keys(mistakes).length
  if (count === 0) return null
  const text = count === 1 ? 'Please check the field marked below.' : `Please check the ${count} fields marked below.`
  return html`<p class="alert" role="alert">${text}</p>`
}

function field(
  { name, label, autocomplete, placeholder, inputmode }: Field,
  { typed, mistakes }: CardFieldsProps,
): Html {
  const mistake = mistakes[name]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${typed[name]}"
      autocomplete="${autocomplete}"
      ${placeholder ? html`placeholder="${placeholder}"` : null}
      ${inputmode ? html`inputmode="${inputmode}"` : null}
      ${mistake ? html`aria-invalid="true" aria-describedby="${name}-mistake"` : null}
    />
    ${mistake ? html`<p class="mistake" id="${name}-mistake">${mistake}</p>` : null}
  </div>`
}
