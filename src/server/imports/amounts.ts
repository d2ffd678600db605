import type { DecimalMark } from '#shared/schemas/imports.ts'

const BEFORE_DIGITS = /^(\()?([-−])?\s*(?:us\$|usd|\$)?\s*([-−])?/i
const LAST_SIGN = /[-−]$/
const LAST_CURRENCY = /(?:us\$|usd|\$)$/i
const PLAIN = /^\d+(\.\d{1,2})?$/
const SPACES = /[ \t\u00a0\u2007\u2009\u202f'’]/g
const WHOLE = /^(?:\d+|\d{1,3}(?: \d{3})+|\d{1,3}(?:[.]\d{3})+|\d{1,3}(?:,\d{3})+)?$/

/** Which decimal mark an amount shows by itself: 1,234 could be 'either', and 1234 tells nothing. */
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

/** The number that a cell means; undefined where it means none. An amount of two readings needs the mark. */
export function readAmount(cell: string | number, mark: DecimalMark | undefined): number | undefined {
  // A spreadsheet computes in binary, and shows no more than 15 digits of it.
  if (typeof cell === 'number') return Number(cell.toPrecision(15))
  if (mark !== 'comma' && PLAIN.test(cell)) return Number(cell)
  const { digits, isNegative } = bare(cell)
  const shown = mark ?? markShown(cell)
  if (shown === 'either') return undefined
  const [whole = '', fraction = '', ...rest] = digits.split(shown === 'comma' ? ',' : '.')
  if (rest.length > 0 || !WHOLE.test(whole) || !/^\d*$/.test(fraction) || whole + fraction === '') return undefined
  const value = Number(`${whole.replaceAll(/[ .,]/g, '')}.${fraction}`)
  return isNegative ? -value : value
}

/** The digits and their marks, without currency, sign and brackets; thousands may be set apart by one kind of space. */
function bare(text: string): { digits: string; isNegative: boolean } {
  const trimmed = text.trim()
  const [before = '', bracket, sign, innerSign] = BEFORE_DIGITS.exec(trimmed) ?? []
  // One expression for both ends would try every way to part the spaces between them.
  const open = trimmed.slice(before.length).replace(/\)$/, '')
  const unsigned = open.replace(LAST_SIGN, '')
  const isNegative = Boolean(bracket ?? sign ?? innerSign) || unsigned !== open
  const digits = unsigned.trimEnd().replace(LAST_CURRENCY, '').trimEnd()
  return { digits: digits.replaceAll(SPACES, ' '), isNegative }
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}
