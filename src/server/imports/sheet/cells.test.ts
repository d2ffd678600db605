import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { guardFormula } from '#shared/domain/formula-guard.ts'
import { addDays, toDay, type Day } from '#shared/domain/day.ts'
import { markShown, orderShown, plainCell, readAmount, readDay } from './cells.ts'

const anyDay = fc.integer({ min: 0, max: 365 * 900 }).map((days) => addDays(toDay('1905-01-01'), days))
const parts = (day: Day) => ({ year: day.slice(0, 4), month: day.slice(5, 7), date: day.slice(8) })
const short = (number: string) => String(Number(number))

const FORMS: [string, (day: Day) => string][] = [
  ['YYYY-MM-DD', (day) => day],
  ['YYYY/MM/DD', (day) => day.replaceAll('-', '/')],
  ['YYYYMMDD', (day) => day.replaceAll('-', '')],
  ['a date and midnight', (day) => `${day}T00:00:00.000Z`],
  ['DD.MM.YYYY', (day) => `${parts(day).date}.${parts(day).month}.${parts(day).year}`],
  ['D.M.YYYY', (day) => `${short(parts(day).date)}.${short(parts(day).month)}.${parts(day).year}`],
]

describe.each(FORMS)('%s', (_form, written) => {
  property.prop([anyDay])('is read as the day that it means', (day) => {
    expect(readDay(written(day), undefined)).toBe(day)
    expect(orderShown(written(day))).toBeUndefined()
  })
})

describe('a slashed date', () => {
  property.prop([anyDay, fc.constantFrom('/', '-')])('means what its order says', (day, separator) => {
    const { year, month, date } = parts(day)
    expect(readDay([month, date, year].join(separator), 'mdy')).toBe(day)
    expect(readDay([date, month, year].join(separator), 'dmy')).toBe(day)
  })

  property.prop([anyDay])('shows its order where only one reading is a day, and is never guessed', (day) => {
    const { year, month, date } = parts(day)
    const text = `${month}/${date}/${year}`
    const shown = orderShown(text)
    if (Number(date) > 12) expect(shown).toBe('mdy')
    else expect(shown).toBe(date === month ? undefined : 'either')
    expect(readDay(text, undefined)).toBe(shown === 'either' ? undefined : day)
  })

  test('of the other order is no date once the order is known', () => {
    expect(readDay('31/12/2026', 'mdy')).toBeUndefined()
    expect(readDay('12/31/2026', 'dmy')).toBeUndefined()
  })
})

property.prop([anyDay])('an Excel serial is the day that Excel counts, as text and as a number', (day) => {
  const serial = Math.round((Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000)
  expect(readDay(serial, undefined)).toBe(day)
  if (serial >= 10_000 && serial <= 99_999) expect(readDay(`${serial}.0`, undefined)).toBe(day)
})

test.each([
  ['46023', '2026-01-01'],
  ['61', undefined],
  ['Jan 5, 2026', '2026-01-05'],
  ['January 5th, 2026', '2026-01-05'],
  ['5 Jan 2026', '2026-01-05'],
  ['05-Feb-2026', '2026-02-05'],
  ['1/5/26', undefined],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T10:00:00Z', undefined],
  ['31 Foo 2026', undefined],
  ['soon', undefined],
  ['', undefined],
])('%j is %j', (text, day) => {
  expect(readDay(text, undefined)).toBe(day)
})

const anyAmount = fc.integer({ min: 1, max: 999_999_999_999 }).map((cents) => cents / 100)
const grouped = (value: number, group: string, mark: string) => {
  const [whole = '', fraction = ''] = value.toFixed(2).split('.')
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, group) + mark + fraction
}

describe.each([
  ['1,234.50', ',', '.', 'dot'],
  ['1.234,50', '.', ',', 'comma'],
  ['1 234.50', ' ', '.', 'dot'],
  ['1 234,50', '\u00a0', ',', 'comma'],
  ['1’234.50', '’', '.', 'dot'],
] as const)('amounts like %s', (_like, group, mark, name) => {
  property.prop([anyAmount])('are read as they are meant, and show their decimal mark', (value) => {
    const text = grouped(value, group, mark)
    expect(readAmount(text, undefined)).toBe(value)
    expect(readAmount(`$${text}`, name)).toBe(value)
    expect(readAmount(`${text} USD`, name)).toBe(value)
    expect(markShown(text)).toBe(name)
  })
})

property.prop([fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }), fc.constantFrom('.', ',')])(
  'three digits after the only mark are thousands or decimals, and are never guessed',
  (thousands, rest, mark) => {
    const text = `${thousands}${mark}${String(rest).padStart(3, '0')}`
    expect(markShown(text)).toBe('either')
    expect(readAmount(text, undefined)).toBeUndefined()
    expect(readAmount(text, mark === ',' ? 'dot' : 'comma')).toBe(thousands * 1000 + rest)
    expect(readAmount(text, mark === ',' ? 'comma' : 'dot')).toBeCloseTo(thousands + rest / 1000)
  },
)

test.each([
  ['$1 234', 1234, undefined],
  ['US$ 1234', 1234, undefined],
  ['1234', 1234, undefined],
  ['1,234,567', 1_234_567, 'dot'],
  ['1.234.567', 1_234_567, 'comma'],
  ['12.5', 12.5, 'dot'],
  ['12,5', 12.5, 'comma'],
  ['.50', 0.5, 'dot'],
  ['0,234', 0.234, 'comma'],
  ['(1,234.50)', -1234.5, 'dot'],
  ['-$5.00', -5, 'dot'],
  ['$-5.00', -5, 'dot'],
  ['5.00-', -5, 'dot'],
  ['12,34,567.00', undefined, 'dot'],
  ['1,23.00', undefined, 'dot'],
  ['12 34', undefined, undefined],
  ['€12.00', undefined, 'dot'],
  ['twelve', undefined, undefined],
  ['1.2.3', undefined, 'comma'],
  ['', undefined, undefined],
  ['$', undefined, undefined],
  ['5%', undefined, undefined],
  ['1e3', undefined, undefined],
])('%j is %j and shows the mark %j', (text, value, mark) => {
  expect(readAmount(text, undefined)).toBe(value)
  expect(markShown(text)).toBe(mark)
})

test('a cell of a million characters is looked at once', () => {
  for (const text of [`1${' '.repeat(1_000_000)}x`, `$${' '.repeat(1_000_000)}x`, '1.'.repeat(500_000)]) {
    expect(readAmount(text, undefined)).toBeUndefined()
  }
})

test('a number of a spreadsheet is what the spreadsheet shows of it', () => {
  expect(readAmount(0.1 + 0.2, 'comma')).toBe(0.3)
  expect(readAmount(1234.5, undefined)).toBe(1234.5)
})

const guarded = fc.stringMatching(/^[ \t\u00a0\u200b\ufeff]{0,3}['=+@;a]{0,4}[ \t\u200b]{0,2}['=+@;a]{0,3}$/)
property.prop([guarded])('what is exported comes back as it was, but for the spaces around it', (text) => {
  fc.pre(text === text.trimEnd())
  expect(plainCell(guardFormula(text))).toBe(text.trim())
})
