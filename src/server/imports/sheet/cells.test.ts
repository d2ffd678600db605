import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { guardFormula } from '#shared/domain/formula-guard.ts'
import { addDays, toDay, type Day } from '#shared/domain/day.ts'
import { orderShown, plainCell, readCell, readDay } from './cells.ts'

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

test('a number of a spreadsheet is what the spreadsheet shows of it', () => {
  const reading = { dateOrder: undefined, decimalMark: undefined }
  expect(readCell('amount', 0.1 + 0.2, { ...reading, decimalMark: 'comma' })).toBe(0.3)
  expect(readCell('amount', 1234.5, reading)).toBe(1234.5)
})

test('what begins like a guarded text once the space before it is gone comes back as it was', () => {
  expect(plainCell(guardFormula("\ufeff'\t'"))).toBe("'\t'")
})

const guarded = fc.stringMatching(/^[ \t\u00a0\u200b\ufeff]{0,3}['=+@;a]{0,4}[ \t\u200b]{0,2}['=+@;a]{0,3}$/)
property.prop([guarded])('what is exported comes back as it was, but for the spaces around it', (text) => {
  fc.pre(text === text.trimEnd())
  expect(plainCell(guardFormula(text))).toBe(text.trim())
})
