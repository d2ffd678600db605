import { expect, test } from 'vitest'
import { CONTRACT_STATUSES, isOpen, OPEN_STATUSES } from './contract-status.ts'

test('the statuses are pending, active, expired and cancelled', () => {
  expect(CONTRACT_STATUSES).toEqual(['pending', 'active', 'expired', 'cancelled'])
})

test('a contract is open while it is pending or active', () => {
  expect(CONTRACT_STATUSES.filter(isOpen)).toEqual(['pending', 'active'])
  expect(OPEN_STATUSES).toEqual(['pending', 'active'])
})
