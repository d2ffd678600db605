import { describe, expect, test } from 'vitest'
import { bulkResult, reminderResult, selectedResult, tagResult, type TermRequest } from './bulk-change.ts'
import { toDay } from './day.ts'
import { centsFromAmount } from './money.ts'
import { MOST_TERMS, type RenewableContract } from './renewal.ts'
import { UNDECIDED } from './settled-contract.ts'

const TODAY = toDay('2027-03-10')
const CENT = centsFromAmount(0.01)

function contract(changes: Partial<RenewableContract> = {}): RenewableContract {
  return {
    status: 'active',
    amountCents: centsFromAmount(100),
    renewalCycle: 'monthly',
    startDate: toDay('2027-01-31'),
    renewalDate: toDay('2027-03-31'),
    renews: 'by_agreement',
    ...UNDECIDED,
    ...changes,
  }
}

const overdue = contract({ renewalDate: toDay('2027-02-28') })
const LAST_DAYS = { termNumber: 2, termStart: toDay('2027-01-31'), renewalDate: toDay('2999-01-01') }
const RENEW = { action: 'renew', from: 'term' } as const
const END = { action: 'end', on: 'renewal_date' } as const
const raise = (percent: number) =>
  ({ action: 'change_price', price: { by: 'percent', hundredths: percent * 100, roundToCents: CENT } }) as const
const done = (one: RenewableContract, request: Parameters<typeof bulkResult>[1]) => bulkResult(one, request, TODAY)

describe('renewing many', () => {
  test('opens the next term of each', () => {
    expect(done(contract(), RENEW)).toMatchObject({
      contract: { termNumber: 2, termStart: '2027-03-31', renewalDate: '2027-04-30' },
      closed: [{ number: 1 }],
    })
  })

  test('begins the next term today for those that are overdue, if asked to', () => {
    const fromToday = { action: 'renew', from: 'today' } as const
    expect(done(overdue, fromToday)).toMatchObject({ contract: { termStart: '2027-03-10', renewalDate: '2027-04-10' } })
    expect(done(overdue, RENEW)).toMatchObject({ contract: { termStart: '2027-02-28' } })
    expect(done(contract(), fromToday)).toMatchObject({ contract: { termStart: '2027-03-31' } })
  })

  test('is no second renewal of those that have been renewed', () => {
    const early = contract({ termNumber: 2, termStart: toDay('2027-03-31'), renewalDate: toDay('2027-04-30') })
    expect(done(early, RENEW)).toEqual({ leftOut: 'not_begun' })
  })
})

test('what was renewed since it was selected is neither renewed again nor ended, but repriced', () => {
  const later = contract({ termNumber: 2, termStart: TODAY })
  const result = (request: TermRequest, termNumber: number | null) =>
    selectedResult(later, request, { today: TODAY, termNumber })
  expect(result(RENEW, 1)).toEqual({ leftOut: 'renewed' })
  expect(result(END, 1)).toEqual({ leftOut: 'renewed' })
  expect(result(raise(5), 1)).toMatchObject({ contract: { termNumber: 2 } })
  for (const known of [2, null]) expect(result(RENEW, known)).toMatchObject({ contract: { termNumber: 3 } })
})

describe('ending many', () => {
  test('is on the renewal date of each, or today where that has passed', () => {
    expect(done(contract(), END)).toMatchObject({ contract: { status: 'active', endsOn: '2027-03-31' } })
    expect(done(overdue, END)).toMatchObject({ contract: { status: 'cancelled', endsOn: TODAY } })
  })

  test('is today, if asked to', () => {
    expect(done(contract(), { action: 'end', on: 'today' })).toMatchObject({
      contract: { status: 'cancelled', endsOn: TODAY },
    })
  })
})

describe('changing the price of many', () => {
  test('is scheduled for the next term, and leaves the current one', () => {
    expect(done(contract(), raise(5))).toMatchObject({
      contract: { amountCents: 10_000, nextAmountCents: 10_500 },
      closed: [],
    })
  })

  test('replaces what was scheduled, so that nothing is raised twice', () => {
    expect(done(contract({ nextAmountCents: centsFromAmount(105) }), raise(10))).toMatchObject({
      contract: { nextAmountCents: 11_000 },
    })
    expect(done(contract({ nextAmountCents: centsFromAmount(105) }), raise(0))).toMatchObject({
      contract: { nextAmountCents: null },
    })
  })
})

test.each([
  ['a closed contract, renewed', { status: 'cancelled' }, RENEW, 'closed'],
  ['a closed contract, ended', { status: 'expired' }, END, 'closed'],
  ['a closed contract, repriced', { status: 'expired' }, raise(5), 'closed'],
  ['one that is set to end, renewed', { endsOn: toDay('2027-03-31') }, RENEW, 'ending'],
  ['one that is set to end, ended', { endsOn: toDay('2027-03-31') }, END, 'ending'],
  ['one that is set to end, repriced', { endsOn: toDay('2027-03-31') }, raise(5), 'ending'],
  ['one with the most terms', { termNumber: MOST_TERMS, termStart: toDay('2027-02-28') }, RENEW, 'too_many'],
  ['one at the end of the calendar', LAST_DAYS, RENEW, 'too_late'],
  ['one that never renews', { renews: 'never' }, raise(5), 'never_renews'],
  ['one with that price already scheduled', { nextAmountCents: centsFromAmount(105) }, raise(5), 'same_price'],
  ['one whose price stays', {}, raise(0), 'same_price'],
  ['one whose price would be nothing', {}, raise(-100), 'price_impossible'],
] as const)('%s is left out', (_what, changes, request, leftOut) => {
  expect(done(contract(changes), request)).toEqual({ leftOut })
})

describe('tagging many', () => {
  const tag = (tags: string[], add: string[], remove: string[] = []) => tagResult(tags, { action: 'tag', add, remove })

  test('adds and removes, in any case', () => {
    expect(tag(['VIP', 'Old'], ['North', 'vip'], ['old'])).toEqual({ tags: ['VIP', 'North'] })
  })

  test('leaves out those that stay the same, or would have too many', () => {
    expect(tag(['VIP'], ['vip'], ['old'])).toEqual({ leftOut: 'same_tags' })
    const many = Array.from({ length: 20 }, (_, at) => `t${at}`)
    expect(tag(many, ['one more'])).toEqual({ leftOut: 'too_many_tags' })
  })
})

describe('reminding many', () => {
  test('is held back by what holds back one reminder, and then by the limits', () => {
    expect(reminderResult(undefined, null)).toBeUndefined()
    expect(reminderResult('unsubscribed', 'account_limit')).toBe('unsubscribed')
    expect(reminderResult(undefined, 'address_limit')).toBe('address_limit')
  })

  test('says of a customer without a contact for messages that there is no address', () => {
    expect(reminderResult('contact_off', null)).toBe('no_address')
    expect(reminderResult('second_copy', null)).toBe('no_address')
  })
})
