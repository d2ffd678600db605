import type { Day } from '#shared/domain/day.ts'
import { amountFromCents, type Cents } from '#shared/domain/money.ts'
import type { Renews } from '#shared/domain/renews.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'

// Amounts, days, and counts as letters and notifications write them.

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat('en-US')

export const CYCLE_NAMES: Record<RenewalCycle, string> = {
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
}

/** How a contract renews, as a certificate says it. */
export const RENEWS_NAMES: Record<Renews, string> = {
  automatic: 'Automatic',
  by_agreement: 'By agreement',
  never: 'Does not renew',
}

/** `$1,200.50` */
export function amountText(cents: Cents): string {
  return money.format(amountFromCents(cents))
}

const A_CYCLE: Record<RenewalCycle, string> = { monthly: 'a month', quarterly: 'a quarter', yearly: 'a year' }

interface Price {
  amountCents: Cents
  renewalCycle: RenewalCycle
}

/** `$1,200.50 a year` */
export function priceText({ amountCents, renewalCycle }: Price): string {
  return `${amountText(amountCents)} ${A_CYCLE[renewalCycle]}`
}

/** `December 31, 2026` */
export function dateText(day: Day): string {
  return longDay.format(new Date(`${day}T00:00:00Z`))
}

/** `in 7 days`, `tomorrow`, `today`, `3 days ago` */
export function whenText(daysLeft: number): string {
  if (daysLeft < 0) return `${daysText(-daysLeft)} ago`
  if (daysLeft === 0) return 'today'
  return daysLeft === 1 ? 'tomorrow' : `in ${daysText(daysLeft)}`
}

export function daysText(count: number): string {
  return count === 1 ? '1 day' : `${numbers.format(count)} days`
}

/** `1 email`, `1,000 emails` */
export function emailsText(count: number): string {
  return count === 1 ? '1 email' : `${numbers.format(count)} emails`
}
