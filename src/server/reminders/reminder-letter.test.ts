import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { writeNotice, writeReminder, type ReminderFacts } from './reminder-letter.ts'

const FACTS: ReminderFacts = {
  recipient: 'customer',
  customerName: 'Harbor Bakery',
  sender: 'Mill & Sons',
  amountCents: centsFromAmount(1200.5),
  renewalCycle: 'yearly',
  renewalDate: toDay('2026-12-31'),
  today: toDay('2026-12-24'),
}

test('the customer reads what renews, when, and what it costs', () => {
  const { subject, text } = writeReminder(FACTS)
  expect(subject).toBe('Your contract renews on December 31, 2026')
  expect(text).toContain('your contract with Mill & Sons renews in 7 days, on December 31, 2026.')
  expect(text).toContain('Amount: $1,200.50 a year')
})

test.each([
  ['2026-12-30', 'renews tomorrow'],
  ['2026-12-31', 'renews today'],
  ['2027-01-01', 'was due for renewal on December 31, 2026, 1 day ago'],
  ['2027-01-07', 'was due for renewal on December 31, 2026, 7 days ago'],
])('on %s it says "%s"', (today, words) => {
  expect(writeReminder({ ...FACTS, today: toDay(today) }).text).toContain(words)
  expect(writeReminder({ ...FACTS, today: toDay(today), recipient: 'owner' }).text).toContain(words)
})

test('the owner reads whose contract it is', () => {
  expect(writeReminder({ ...FACTS, recipient: 'owner' }).subject).toBe('Harbor Bakery renews in 7 days')
  const late = writeReminder({ ...FACTS, recipient: 'owner', today: toDay('2027-01-03') })
  expect(late.subject).toBe('Harbor Bakery is overdue by 3 days')
})

test('in the app it takes a title and a sentence', () => {
  expect(writeNotice(FACTS)).toEqual({
    title: 'Renewal in 7 days',
    message: 'Harbor Bakery: the yearly contract of $1,200.50 renews on December 31, 2026.',
  })
  expect(writeNotice({ ...FACTS, today: toDay('2027-01-01') }).title).toBe('Overdue by 1 day')
})

test('names are text, never markup', () => {
  const { html } = writeReminder({ ...FACTS, customerName: '<img src=x onerror="alert(1)">', sender: `O'Neil & "Co"` })
  expect(html).not.toContain('<img')
  expect(html).toContain('&#60;img src=x onerror=&#34;alert(1)&#34;&#62;')
  expect(html).toContain('O&#39;Neil &#38; &#34;Co&#34;')
})
