export const DECIMAL_MARKS = ['dot', 'comma'] as const
export type DecimalMark = (typeof DECIMAL_MARKS)[number]

const BEFORE_DIGITS = /^(\()?([-−])?\s*(?:us\$|usd|\$)?\s*([-−])?/i
const TRAILING_SIGN = /[-−]$/
const TRAILING_CURRENCY = /(?:us\$|usd|\$)$/i
const PLAIN = /^\d+(\.\d{1,2})?$/
const SPACES = /[ \t\u00a0\u2007\u2009\u202f'’]/g
const WHOLE = /^(?:\d+|\d{1,3}(?: \d{3})+|\d{1,3}(?:[.]\d{3})+|\d{1,3}(?:,\d{3})+)?$/

/** The decimal mark that an amount reveals: 'either' for 1,234, undefined for 1234. */
export function markShown(text: string): DecimalMark | 'either' | undefined {
  const plain = PLAIN.exec(text)
  if (plain) return plain[1] ? 'dot' : undefined
  const { digits } = bare(text)
  const [dots, commas] = [count(digits, '.'), count(digits, ',')]
  if (dots === 0 && commas === 0) return undefined
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? 'dot' : 'comma'
  if (dots + commas > 1) return dots > 0 ? 'comma' : 'dot'
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) return 'either'
  return dots > 0 ? 'dot' : 'comma'
}

/** The number in a text; undefined if there is none, or if it can be read in two ways and `mark` is unknown. */
export function readAmount(text: string, mark: DecimalMark | undefined): number | undefined {
  if (mark !== 'comma' && PLAIN.test(text)) return Number(text)
  const { digits, isNegative } = bare(text)
  const shown = mark ?? markShown(text)
  if (shown === 'either') return undefined
  const [whole = '', fraction = '', ...rest] = digits.split(shown === 'comma' ? ',' : '.')
  if (rest.length > 0 || !WHOLE.test(whole) || !/^\d*$/.test(fraction) || whole + fraction === '') return undefined
  const value = Number(`${whole.replaceAll(/[ .,]/g, '')}.${fraction}`)
  return isNegative ? -value : value
}

/** The two readings of an amount whose dot may be a decimal mark or a thousands separator. */
export interface UnclearAmount {
  asThousands: number
  asDecimals: number
}

/**
 * The number typed into a form, in any format that imports accept; undefined if it is not a number. A comma before three
 * digits separates thousands, as in every amount that the app shows; a dot before three digits is ambiguous.
 */
export function readTypedAmount(text: string): number | UnclearAmount | undefined {
  if (markShown(text) !== 'either') return readAmount(text, undefined)
  const [asDecimals, asThousands] = [readAmount(text, 'dot'), readAmount(text, 'comma')]
  if (text.includes(',')) return asDecimals
  return asDecimals === undefined || asThousands === undefined ? undefined : { asThousands, asDecimals }
}

/** The digits with their separators, without currency, sign and parentheses; every kind of space becomes ' '. */
function bare(text: string): { digits: string; isNegative: boolean } {
  const trimmed = text.trim()
  const [before = '', paren, sign, innerSign] = BEFORE_DIGITS.exec(trimmed) ?? []
  // Both ends in one expression would backtrack over every split of the spaces between them.
  const open = trimmed.slice(before.length).replace(/\)$/, '')
  const unsigned = open.replace(TRAILING_SIGN, '')
  const isNegative = Boolean(paren ?? sign ?? innerSign) || unsigned !== open
  const digits = unsigned.trimEnd().replace(TRAILING_CURRENCY, '').trimEnd()
  return { digits: digits.replaceAll(SPACES, ' '), isNegative }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
