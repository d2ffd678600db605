import { z } from 'zod'
import type { CardDetails } from './payment-method-builder.ts'

// Whatever a form may hold in place of a text counts as nothing typed.
const field = z.string().trim().max(200).catch('')
const Typed = z.object({ email: field, number: field, expiry: field, cvc: field, name: field })

export type Typed = z.output<typeof Typed>
export type Mistakes = Partial<Record<keyof Typed, string>>

export interface Read {
  typed: Typed
  mistakes: Mistakes
  card: CardDetails
}

export const NOTHING_TYPED: Typed = { email: '', number: '', expiry: '', cvc: '', name: '' }

/** Reads the card fields of a hosted page, and says of each wrong one what is wrong. */
export function readCardForm(form: unknown, now: number): Read {
  const typed = Typed.parse(form ?? {})
  const number = typed.number.replaceAll(/[\s-]/g, '')
  const expiry = expiryOf(typed.expiry)
  const card = { number, expMonth: expiry?.month ?? 0, expYear: expiry?.year ?? 0, name: typed.name, email: null }
  const mistakes: Mistakes = {
    ...mistake('number', numberMistake(number)),
    ...mistake('expiry', expiryMistake(expiry, now)),
    ...mistake('cvc', cvcMistake(typed.cvc, number)),
    ...mistake('name', typed.name === '' ? 'Enter the name on the card.' : null),
  }
  return { typed, mistakes, card }
}

export function emailMistake(email: string): Mistakes {
  return mistake('email', z.email().safeParse(email).success ? null : 'Enter a valid email address.')
}

/** The check digit that every card number ends in. */
export function passesLuhn(number: string): boolean {
  const digits = Array.from(number).toReversed().map(Number)
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : doubled(digit)), 0)
  return sum % 10 === 0
}

function doubled(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2
}

function mistake(name: keyof Typed, text: string | null): Mistakes {
  return text === null ? {} : { [name]: text }
}

function numberMistake(number: string): string | null {
  if (number === '') return 'Enter a card number.'
  if (!/^\d+$/.test(number)) return 'Your card number is invalid.'
  if (number.length < (isAmex(number) ? 15 : 16)) return 'Your card number is incomplete.'
  return number.length <= 19 && passesLuhn(number) ? null : 'Your card number is invalid.'
}

function expiryOf(typed: string): { month: number; year: number } | null {
  const { month, year = '' } = /^(?<month>\d{1,2})\s*\/?\s*(?:20)?(?<year>\d{2})$/.exec(typed)?.groups ?? {}
  return month === undefined ? null : { month: Number(month), year: 2000 + Number(year) }
}

function expiryMistake(expiry: { month: number; year: number } | null, now: number): string | null {
  if (!expiry) return "Your card's expiration date is incomplete."
  if (expiry.month < 1 || expiry.month > 12) return "Your card's expiration date is invalid."
  const firstMomentAfter = Date.UTC(expiry.year, expiry.month, 1) / 1000
  return firstMomentAfter > now ? null : "Your card's expiration date is in the past."
}

function cvcMistake(cvc: string, number: string): string | null {
  return (isAmex(number) ? /^\d{4}$/ : /^\d{3}$/).test(cvc) ? null : "Your card's security code is incomplete."
}

function isAmex(number: string): boolean {
  return /^3[47]/.test(number)
}
