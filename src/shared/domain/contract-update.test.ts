import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { fieldsChanged, obstacleToUpdate, updatedBy, type UpdatableContract } from './contract-update.ts'
import { toDay } from './day.ts'
import { centsFromAmount } from './money.ts'

const CONTRACT: UpdatableContract = {
  status: 'active',
  amountCents: centsFromAmount(100),
  renewalCycle: 'yearly',
  startDate: toDay('2025-01-01'),
  renewalDate: toDay('2027-01-01'),
  renews: 'automatic',
  termNumber: 2,
  termStart: toDay('2026-01-01'),
  anchorDate: null,
  nextAmountCents: null,
  nextCycle: null,
  endsOn: null,
  heldRenewalDate: null,
  title: 'Cleaning',
  noticePeriod: '30 days',
  tags: ['VIP'],
}
const FIRST: UpdatableContract = { ...CONTRACT, termNumber: 1, termStart: null }

describe('a row of a file', () => {
  test('changes what it says, and leaves the rest', () => {
    const after = updatedBy(CONTRACT, {
      amount: centsFromAmount(120.5),
      tags: ['VIP', 'North'],
      title: null,
      termNumber: 2,
    })
    expect(after).toEqual({ ...CONTRACT, amountCents: 12_050, tags: ['VIP', 'North'] })
    expect(fieldsChanged(CONTRACT, after)).toEqual([
      { field: 'amount', before: 100, after: 120.5 },
      { field: 'tags', before: 'VIP', after: 'VIP, North' },
    ])
  })

  test('that says nothing changes nothing', () => {
    expect(updatedBy(CONTRACT, { tags: [] })).toEqual(CONTRACT)
    expect(fieldsChanged(CONTRACT, CONTRACT)).toEqual([])
    expect(obstacleToUpdate(CONTRACT, {})).toBeUndefined()
  })

  test.each([
    ['another term', CONTRACT, { termNumber: 1 }, 'other_term'],
    ['the end', CONTRACT, { status: 'cancelled' }, 'decision'],
    ['an expiry', CONTRACT, { status: 'expired' }, 'decision'],
    ['a reopening', { ...CONTRACT, status: 'expired' }, { status: 'active' }, 'decision'],
    ['the start of one that has been renewed', CONTRACT, { startDate: '2025-02-01' }, 'start_of_renewed'],
    ['a start after the renewal', FIRST, { startDate: '2027-02-01' }, 'renewal_before_start'],
    ['a renewal before the term', CONTRACT, { renewalDate: '2026-01-01' }, 'term_too_short'],
    ['another open status', CONTRACT, { status: 'pending' }, undefined],
    ['another closed status', { ...CONTRACT, status: 'expired' }, { status: 'cancelled' }, undefined],
    ['both dates', FIRST, { startDate: '2028-01-01', renewalDate: '2029-01-01' }, undefined],
    ['the same term', CONTRACT, { termNumber: 2, startDate: '2025-01-01' }, undefined],
  ] as const)('with %s: %#', (_what, contract, row, obstacle) => {
    const days = Object.fromEntries(
      Object.entries(row).map(([field, value]) => [field, field.endsWith('Date') ? toDay(String(value)) : value]),
    )
    expect(obstacleToUpdate(contract, days)).toBe(obstacle)
  })
})

property.prop([
  fc.record(
    {
      amount: fc.integer({ min: 1, max: 1e9 }).map((cents) => centsFromAmount(cents / 100)),
      status: fc.constantFrom('active', 'pending'),
      renewalDate: fc.constantFrom(toDay('2026-06-01'), toDay('2028-01-01')),
      title: fc.constantFrom('Cleaning', 'Other', null),
      tags: fc.subarray(['VIP', 'North']),
    },
    { requiredKeys: [] },
  ),
])('what a row changes is exactly what it says otherwise, and a second time nothing', (row) => {
  const after = updatedBy(CONTRACT, row)
  expect(obstacleToUpdate(CONTRACT, row)).toBeUndefined()
  expect(fieldsChanged(after, updatedBy(after, row))).toEqual([])
  const named = Object.keys(row)
  for (const { field } of fieldsChanged(CONTRACT, after)) expect(named).toContain(field)
})
