import { monthsOf, type RenewalCycle } from './renewal-cycle.ts'

declare const brand: unique symbol

/** US dollars in whole cents: a safe integer, never a fraction. */
export type Cents = number & { readonly [brand]: 'Cents' }

/** A sum of amounts in whole cents; it cannot overflow. */
export type CentsSum = bigint

const MONTHS_A_YEAR = 12

/** The largest single amount: $9,999,999,999.99. A sum may be larger: `CentsSum`. */
export const MAX_AMOUNT = toCents(999_999_999_999)

/** Dollars from JSON in whole cents. @throws RangeError for a third decimal or beyond MAX_AMOUNT */
export function centsFromAmount(amount: number): Cents {
  const cents = Math.round(amount * 100)
  // Dividing rounds to the nearest number, as parsing did: the two are equal only for two decimals at most.
  if (cents / 100 !== amount) throw new RangeError(`Not an amount of whole cents: ${amount}`)
  if (Math.abs(cents) > MAX_AMOUNT) throw new RangeError(`Beyond the largest amount: ${amount}`)
  return toCents(cents)
}

/** Dollars with at most two decimals, to be sent or shown; never to be calculated with. */
export function amountFromCents(cents: Cents): number {
  return cents / 100
}

/** A sum in dollars: the nearest number, exact to the cent up to 2^46 dollars. */
export function amountFromSum(cents: CentsSum): number {
  const size = cents < 0n ? -cents : cents
  // Parsed from text, because dividing two rounded numbers would add another error.
  const amount = Number(`${size / 100n}.${String(size % 100n).padStart(2, '0')}`)
  return cents < 0n ? -amount : amount
}

/** Splits without losing a cent: the first parts get the remainder. */
export function split(total: Cents, parts: number): Cents[] {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`Not a number of parts: ${parts}`)
  const rest = total % parts
  const share = (total - rest) / parts
  return Array.from({ length: parts }, (_, index) => toCents(share + (index < Math.abs(rest) ? Math.sign(rest) : 0)))
}

/** The value per month of an amount per cycle, in twelfths of a cent, so that sums are exact and rounded once. */
export function monthlyTwelfths(cents: CentsSum, cycle: RenewalCycle): bigint {
  return cents * BigInt(MONTHS_A_YEAR / monthsOf(cycle))
}

/** A sum of `monthlyTwelfths` in whole cents, half a cent rounded up. */
export function centsFromTwelfths(twelfths: bigint): CentsSum {
  return divide(twelfths, BigInt(MONTHS_A_YEAR))
}

/** The total divided by the count, half a cent rounded up; 0 if the count is 0. */
export function averageCents(total: CentsSum, count: number): CentsSum {
  return count === 0 ? 0n : divide(total, BigInt(count))
}

/** The part as a percentage of the whole, with one decimal; 0 if the whole is 0. Both are counts. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Number(divide(BigInt(part) * 1000n, BigInt(whole))) / 10
}

// By the remainder rather than a fractional quotient, so that a half is exactly a half.
function divide(dividend: bigint, divisor: bigint): bigint {
  const rest = ((dividend % divisor) + divisor) % divisor
  const quotient = (dividend - rest) / divisor
  return rest * 2n >= divisor ? quotient + 1n : quotient
}

function toCents(value: number): Cents {
  // Avoids minus zero, which is shown as "-0".
  const cents = value === 0 ? 0 : value
  if (!isCents(cents)) throw new RangeError(`Not whole cents: ${value}`)
  return cents
}

function isCents(value: number): value is Cents {
  return Number.isSafeInteger(value)
}
