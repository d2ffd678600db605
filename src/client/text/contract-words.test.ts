import { expect, test } from 'vitest'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { contractTone, CYCLE_LABELS, STATUS_LABELS, statusBadge, timeLeftText } from './contract-words.ts'

test.each([
  [-1200, 'Overdue by 1,200 days'],
  [-12, 'Overdue by 12 days'],
  [-1, 'Overdue by 1 day'],
  [0, '0 days left'],
  [1, '1 day left'],
  [30, '30 days left'],
])('%i days left reads "%s"', (daysLeft, text) => {
  expect(timeLeftText(daysLeft)).toBe(text)
})

test('a row is red when its renewal date has passed, and yellow within 30 days', () => {
  expect(contractTone({ status: 'active', daysLeft: -1 })).toMatchObject({ color: 'red' })
  expect(contractTone({ status: 'pending', daysLeft: 0 })).toMatchObject({ color: 'yellow' })
  expect(contractTone({ status: 'active', daysLeft: 30 })).toMatchObject({ color: 'yellow' })
  expect(contractTone({ status: 'active', daysLeft: 31 })).toBeUndefined()
})

test('a contract that has been dealt with does not stand out', () => {
  expect(contractTone({ status: 'expired', daysLeft: -40 })).toBeUndefined()
  expect(contractTone({ status: 'cancelled', daysLeft: 3 })).toBeUndefined()
})

test('statuses and cycles are shown capitalized', () => {
  expect(Object.values(STATUS_LABELS)).toEqual(['Active', 'Pending', 'Expired', 'Cancelled'])
  expect(Object.values(CYCLE_LABELS)).toEqual(['Monthly', 'Quarterly', 'Yearly'])
})

test('badges show active green, pending amber, expired red and cancelled grey', () => {
  const colors = CONTRACT_STATUSES.map((status) => [status, statusBadge({ status, daysLeft: 40 }).color])
  expect(Object.fromEntries(colors)).toEqual({ active: 'green', pending: 'yellow', expired: 'red', cancelled: 'gray' })
})

test('the badge of an open contract whose renewal date has passed says so beside its status, in red', () => {
  expect(statusBadge({ status: 'active', daysLeft: -22 })).toEqual({ color: 'red', text: 'Active · Overdue' })
  expect(statusBadge({ status: 'pending', daysLeft: -1 })).toEqual({ color: 'red', text: 'Pending · Overdue' })
  expect(statusBadge({ status: 'active', daysLeft: 0 })).toEqual({ color: 'green', text: 'Active' })
  expect(statusBadge({ status: 'cancelled', daysLeft: -22 })).toEqual({ color: 'gray', text: 'Cancelled' })
})
