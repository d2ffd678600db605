/** Whose shop the stand-in is. */
export const MERCHANT = { name: 'TRAXX', country: 'US' } as const

const dollars = new Map<string, Intl.NumberFormat>()

/** `$29.00`, from cents. */
export function money(amount: number, currency: string): string {
  const format = dollars.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  dollars.set(currency, format)
  return format.format(amount / 100)
}

/** `month`, or `3 months`. */
export function everyInterval({ interval, interval_count }: { interval: string; interval_count: number }): string {
  return interval_count === 1 ? interval : `${interval_count} ${interval}s`
}
