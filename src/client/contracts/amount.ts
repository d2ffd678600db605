import { formatMoney } from '#client/text/format.ts'

const SHAPE = /^-?\$? ?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d*)?$/

/** US dollars as somebody types them: '1,234.50', '$1234.5'. NaN for anything else. */
export function parseAmount(text: string): number {
  const typed = text.trim()
  return SHAPE.test(typed) && /\d/.test(typed) ? Number(typed.replaceAll(/[$, ]/g, '')) : Number.NaN
}

/** The same the other way round: 1234.5 as '1,234.50'. */
export function amountText(amount: number): string {
  return formatMoney(amount).slice(1)
}
