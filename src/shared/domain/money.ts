import { monthsOf, type RenewalCycle } from './renewal-cycle.ts'

declare const brand: unique symbol

/** US dollars in whole cents: a safe integer, never a fraction. */
export type Cents = number & { readonly [brand]: 'Cents' }

const MONTHS_A_YEAR = 12

/** The largest single amount: $9,999,999,999.99. A sum may be larger. */
export const MAX_AMOUNT = toCents(999_999_999_999)

/** Whole cents of dollars as they come over the wire. @throws RangeError for a third decimal or beyond MAX_AMOUNT. */
export function centsFromAmount(amount: number): Cents {
  const cents = Math.round(amount * 100)
  // The division is rounded to the nearest number, as the text was when it was parsed: equal only at two decimals.
  if (cents / 100 !== amount) throw new RangeError(`Not an amount of whole cents: ${amount}`)
  if (Math.abs(cents) > MAX_AMOUNT) throw new RangeError(`Beyond the largest amount: ${amount}`)
  return toCents(cents)
}

/** Dollars with at most two decimals, to be sent or shown; never to be counted with. */
export function amountFromCents(cents: Cents): number {
  return cents / 100
}

/** @throws RangeError where the sum is too large to be exact. */
export function addCents(one: Cents, other: Cents): Cents {
  return toCents(one + other)
}

/** Splits without losing a cent: the first parts carry what does not divide. */
export function split(total: Cents, parts: number): Cents[] {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`Not a number of parts: ${parts}`)
  const rest = total % parts
  const share = (total - rest) / parts
  return Array.from({ length: parts }, (_, index) => toCents(share + (index < Math.abs(rest) ? Math.sign(rest) : 0)))
}

/** What an amount a cycle is worth a month, in twelfths of a cent: sums of it are exact and are rounded once. */
export function monthlyTwelfths(cents: Cents, cycle: RenewalCycle): number {
  return cents * (MONTHS_A_YEAR / monthsOf(cycle))
}

/** A sum of `monthlyTwelfths` in whole cents, half a cent rounded up. */
export function centsFromTwelfths(twelfths: number): Cents {
  return toCents(divide(twelfths, MONTHS_A_YEAR))
}

/** The total divided by the count, half a cent rounded up; 0 where there is nothing to count. */
export function averageCents(total: Cents, count: number): Cents {
  return toCents(count === 0 ? 0 : divide(total, count))
}

/** How many percent of the whole a part is, with one decimal; 0 of nothing. Both are counts or cents. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : divide(part * 1000, whole) / 10
}

// By the remainder, not by a quotient with a fraction: a half is then exactly a half.
function divide(dividend: number, divisor: number): number {
  const rest = ((dividend % divisor) + divisor) % divisor
  const quotient = (dividend - rest) / divisor
  return rest * 2 >= divisor ? quotient + 1 : quotient
}

function toCents(value: number): Cents {
  // A share or a rounding may come out as minus zero, which shows as "-0".
  const cents = value === 0 ? 0 : value
  if (!isCents(cents)) throw new RangeError(`Not whole cents: ${value}`)
  return cents
}

function isCents(value: number): value is Cents {
  return Number.isSafeInteger(value)
}
