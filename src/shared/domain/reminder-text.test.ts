import { expect, test } from 'vitest'
import { blocksOf, DEFAULT_TEXTS, TEXT_KINDS, TEXT_VARIABLES, textFault, textKindOf } from './reminder-text.ts'

test.each([
  ['automatic', 7, 'reminder_automatic'],
  ['by_agreement', 7, 'reminder'],
  ['never', 7, 'reminder_never'],
  ['by_agreement', 0, 'reminder'],
  ['automatic', -1, 'follow_up'],
  ['by_agreement', -1, 'follow_up'],
  ['never', -1, 'follow_up'],
] as const)('a contract that renews %s, with %i days left, is written about with the text %s', (renews, left, kind) => {
  expect(textKindOf(renews, left)).toBe(kind)
})

test.each(TEXT_KINDS)('the default of %s has only variables that it can have', (kind) => {
  const names = Object.keys(TEXT_VARIABLES[kind])
  expect(textFault(DEFAULT_TEXTS[kind].subject, names)).toBeUndefined()
  expect(textFault(DEFAULT_TEXTS[kind].body, [...names, ...blocksOf(kind)])).toBeUndefined()
})

test('whatever could be written in all reminders before they differed can be written in each', () => {
  const before = ['customer', 'company', 'contract', 'amount', 'cycle', 'renewalDate', 'when', 'daysLeft']
  for (const kind of ['reminder', 'reminder_automatic', 'reminder_never'] as const) {
    expect(Object.keys(TEXT_VARIABLES[kind])).toEqual(expect.arrayContaining(before))
  }
})
