import { expect, test } from 'vitest'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { toDay } from '#shared/domain/day.ts'
import { contractValues, withTerms } from './contract-fields.tsx'
import { CONTRACT_CONFLICTS } from './contract-form.ts'
import { aContract } from '#support/records.ts'

const TODAY = toDay('2026-01-31')

const blank = contractValues(undefined, 'contracts')

test('a start date suggests the renewal one cycle later', () => {
  expect(withTerms(blank, { startDate: '2026-01-31' }, TODAY)).toMatchObject({ renewalDate: '2026-02-28' })
})

test('a start date long past suggests no renewal date that has passed', () => {
  expect(withTerms(blank, { startDate: '2024-06-30' }, TODAY)).toMatchObject({ renewalDate: '2026-02-28' })
  expect(withTerms(blank, { startDate: '2024-06-15', renewalCycle: 'yearly' }, TODAY)).toMatchObject({
    renewalDate: '2026-06-15',
  })
})

test('another cycle or start date changes what was suggested', () => {
  const suggested = withTerms(blank, { startDate: '2026-01-31' }, TODAY)
  expect(withTerms(suggested, { renewalCycle: 'yearly' }, TODAY)).toMatchObject({ renewalDate: '2027-01-31' })
  expect(withTerms(suggested, { startDate: '2026-03-10' }, TODAY)).toMatchObject({ renewalDate: '2026-04-10' })
})

test("a renewal date of somebody's own stays", () => {
  const own = { ...withTerms(blank, { startDate: '2026-01-31' }, TODAY), renewalDate: '2026-12-24' }
  expect(withTerms(own, { renewalCycle: 'quarterly' }, TODAY)).toMatchObject({ renewalDate: '2026-12-24' })
})

test('half a date, or one at the end of time, suggests nothing', () => {
  const suggested = withTerms(blank, { startDate: '2026-01-31' }, TODAY)
  expect(withTerms(suggested, { startDate: '0002-01-31' }, TODAY)).toMatchObject({ renewalDate: '' })
  expect(withTerms(blank, { startDate: '2999-12-31' }, TODAY)).toMatchObject({ renewalDate: '' })
})

test('the first contract of an account is active on the dashboard too, so that its figures show it', () => {
  expect(contractValues(undefined, 'dashboard', true)).toMatchObject({ status: 'active' })
})

test('a new contract is active on the contracts page and pending on the dashboard, and monthly on both', () => {
  expect(contractValues(undefined, 'contracts')).toMatchObject({ status: 'active', renewalCycle: 'monthly' })
  expect(contractValues(undefined, 'dashboard')).toMatchObject({ status: 'pending', renewalCycle: 'monthly' })
})

test('an amount is prefilled as it can be typed', () => {
  const { amount } = contractValues(aContract({ amount: 9_999_999_999.99 }), 'contracts')
  expect(amount).toBe('9,999,999,999.99')
  expect(readTypedAmount(amount)).toBe(9_999_999_999.99)
})

test('a conflict of two edits can be resolved for every field', () => {
  const chosen = CONTRACT_CONFLICTS.flatMap(({ name, along = [] }) => [name, ...along])
  const { version: _version, mutedDate: _mutedDate, ...fields } = blank
  expect(chosen.toSorted()).toEqual(Object.keys(fields).toSorted())
})
