import { expect, test } from 'vitest'
import { passesLuhn, readCardForm } from './card-form.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
const GOOD = { number: '4242 4242 4242 4242', expiry: '11 / 26', cvc: '123', name: 'Ada Lovelace' }

function mistakesIn(changes: Partial<typeof GOOD>) {
  return readCardForm({ ...GOOD, ...changes }, NOW).mistakes
}

test('a good card is read', () => {
  const { card, mistakes } = readCardForm(GOOD, NOW)
  expect(mistakes).toEqual({})
  expect(card).toEqual({ number: '4242424242424242', expMonth: 11, expYear: 2026, name: 'Ada Lovelace', email: null })
})

test.each([
  ['', 'Enter a card number.'],
  ['4242 4242', 'Your card number is incomplete.'],
  ['4242 4242 4242 4241', 'Your card number is invalid.'],
  ['4242 4242 4242 424x', 'Your card number is invalid.'],
])('the card number %j is refused', (number, text) => {
  expect(mistakesIn({ number })).toEqual({ number: text })
})

test.each([
  ['', "Your card's expiration date is incomplete."],
  ['12', "Your card's expiration date is incomplete."],
  ['13 / 30', "Your card's expiration date is invalid."],
  ['10 / 26', "Your card's expiration date is in the past."],
])('the date %j is refused', (expiry, text) => {
  expect(mistakesIn({ expiry })).toEqual({ expiry: text })
})

test.each(['1226', '12/26', '12/2026', '12 / 26'])('the date may be typed as %j', (expiry) => {
  expect(readCardForm({ ...GOOD, expiry }, NOW).card).toMatchObject({ expMonth: 12, expYear: 2026 })
})

test('the security code has three digits, and four for American Express', () => {
  expect(mistakesIn({ cvc: '12' })).toEqual({ cvc: "Your card's security code is incomplete." })
  expect(mistakesIn({ number: '378282246310005', cvc: '1234' })).toEqual({})
  expect(mistakesIn({ number: '378282246310005', cvc: '123' })).toHaveProperty('cvc')
})

test('everything that is missing is said at once, whatever came in its place', () => {
  expect(Object.keys(readCardForm(undefined, NOW).mistakes)).toEqual(['number', 'expiry', 'cvc', 'name'])
  expect(Object.keys(readCardForm({ number: ['4242'], cvc: {} }, NOW).mistakes)).toHaveLength(4)
})

test('the check digit tells a mistyped number', () => {
  expect(['4242424242424242', '378282246310005', '5555555555554444'].map(passesLuhn)).toEqual([true, true, true])
  expect(['4242424242424243', '378282246310006'].map(passesLuhn)).toEqual([false, false])
})
