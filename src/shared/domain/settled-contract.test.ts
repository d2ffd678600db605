import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { CONTRACT_STATUSES } from './contract-status.ts'
import { addDays, toDay } from './day.ts'
import { centsFromAmount } from './money.ts'
import { byItself, MOST_TERMS, type RenewableContract } from './renewal.ts'
import { RENEWS } from './renews.ts'
import { actsOn, asSettled, UNDECIDED } from './settled-contract.ts'

const TODAY = toDay('2027-03-10')
/** Monthly since January 31. */
const OVERDUE: RenewableContract = {
  ...UNDECIDED,
  status: 'active',
  amountCents: centsFromAmount(100),
  renewalCycle: 'monthly',
  startDate: toDay('2027-01-31'),
  renewalDate: toDay('2027-02-28'),
  renews: 'by_agreement',
}

describe('shortly after it is saved', () => {
  test('a contract that renews automatically is in the term of today', () => {
    const changes = { renews: 'automatic', nextAmountCents: centsFromAmount(120) } as const
    expect(asSettled({ ...OVERDUE, ...changes }, TODAY)).toMatchObject({
      renewalDate: '2027-03-31',
      termNumber: 2,
      amountCents: 12_000,
    })
  })

  test.each([
    ['waits for its owner', { renews: 'by_agreement' } as const],
    ['is held on its renewal date', { renews: 'automatic', heldRenewalDate: toDay('2027-02-28') } as const],
    ['is still to renew', { renews: 'automatic', renewalDate: toDay('2027-03-11') } as const],
  ])('one that %s is as it was saved', (_why, changes) => {
    expect(asSettled({ ...OVERDUE, ...changes }, TODAY)).toEqual({ ...OVERDUE, ...changes })
  })
})

const anyFate = fc.record({
  status: fc.constantFrom(...CONTRACT_STATUSES),
  renews: fc.constantFrom(...RENEWS),
  endsOn: fc.constantFrom(null, toDay('2027-02-20')),
  heldRenewalDate: fc.constantFrom(null, OVERDUE.renewalDate),
  termNumber: fc.constantFrom(1, MOST_TERMS),
})

test.prop([anyFate, fc.integer({ min: -30, max: 30 })])(
  'something happens by itself from the day on that is said, and never before',
  (fate, days) => {
    const contract = { ...OVERDUE, ...fate }
    const day = addDays(contract.endsOn ?? contract.renewalDate, days)
    const first = actsOn(contract)
    expect(byItself(contract, day, null) !== undefined).toBe(first !== null && first <= day)
  },
)
