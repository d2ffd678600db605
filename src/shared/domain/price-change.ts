import { MAX_AMOUNT, type Cents } from './money.ts'

export const PRICE_CHANGES = ['percent', 'amount', 'to'] as const

/** A change of prices: by percent, by an amount, or to an amount. */
export interface PriceChange {
  by: (typeof PRICE_CHANGES)[number]
  /** Hundredths of a percent, or cents. Negative lowers the price, unless it is changed to an amount. */
  hundredths: number
  /** The new price is a multiple of this, half of it rounded up. */
  roundToCents: Cents
}

const WHOLE = 10_000n

/** The new price in cents; undefined if it would not be positive, or beyond the largest amount. Exact before rounding. */
export function changedPrice(cents: Cents, change: PriceChange): Cents | undefined {
  const unit = WHOLE * BigInt(change.roundToCents)
  const price = (2n * exactPrice(cents, change) + unit) / (2n * unit)
  const rounded = Number(price * BigInt(change.roundToCents))
  return isPrice(rounded) ? rounded : undefined
}

/** In ten-thousandths of a cent. */
function exactPrice(cents: Cents, { by, hundredths }: PriceChange): bigint {
  if (by === 'percent') return BigInt(cents) * (WHOLE + BigInt(hundredths))
  return (by === 'amount' ? BigInt(cents) + BigInt(hundredths) : BigInt(hundredths)) * WHOLE
}

function isPrice(cents: number): cents is Cents {
  return cents > 0 && cents <= MAX_AMOUNT
}
