import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { addDays, addMonths, daysBetween, toDay, type Day } from './day.ts'
import { centsFromAmount } from './money.ts'
import { monthsOf, RENEWAL_CYCLES } from './renewal-cycle.ts'
import { RENEWS } from './renews.ts'
import {
  byItself,
  canEndOn,
  ending,
  expiry,
  MOST_TERMS,
  obstacleToRenewal,
  renewal,
  reopening,
  termStartOf,
  type ClosedTerm,
  type RenewableContract,
  type RenewalRequest,
} from './renewal.ts'

type Changes = Partial<Omit<RenewableContract, 'startDate' | 'renewalDate' | 'termStart' | 'endsOn'>> & {
  startDate?: string
  renewalDate?: string
  termStart?: string
  endsOn?: string
}

/** Monthly since January 31, and overdue on March 10. */
function contract({
  startDate = '2027-01-31',
  renewalDate = '2027-02-28',
  termStart,
  endsOn,
  ...others
}: Changes = {}) {
  const base: RenewableContract = {
    status: 'active',
    amountCents: centsFromAmount(100),
    renewalCycle: 'monthly',
    startDate: toDay(startDate),
    renewalDate: toDay(renewalDate),
    renews: 'by_agreement',
    termNumber: 1,
    termStart: termStart === undefined ? null : toDay(termStart),
    anchorDate: null,
    nextAmountCents: null,
    nextCycle: null,
    endsOn: endsOn === undefined ? null : toDay(endsOn),
    heldRenewalDate: null,
  }
  return { ...base, ...others }
}

const TODAY = toDay('2027-03-10')

describe('the start of the first term', () => {
  test.each([
    ['2027-01-31', '2027-02-28', 'monthly', '2027-01-31'],
    ['2020-01-31', '2027-03-31', 'monthly', '2027-02-28'],
    ['2020-06-15', '2027-06-15', 'yearly', '2026-06-15'],
    ['2026-06-15', '2027-01-01', 'yearly', '2026-06-15'],
    ['2026-01-20', '2027-01-25', 'yearly', '2026-01-25'],
    ['1900-01-01', '1900-01-15', 'yearly', '1900-01-01'],
    ['2027-02-28', '2027-02-28', 'monthly', '2027-02-28'],
  ] as const)(
    'of a contract since %s that renews on %s, %s, is %s',
    (startDate, renewalDate, renewalCycle, expected) => {
      expect(termStartOf(contract({ startDate, renewalDate, renewalCycle }))).toBe(expected)
    },
  )
})

describe('renewing', () => {
  test('closes the running term and opens the next, on the anchor day', () => {
    const { contract: next, closed } = renewal(contract(), {}, toDay('2027-02-01'))
    expect(next).toMatchObject({ termNumber: 2, termStart: '2027-02-28', renewalDate: '2027-03-31', status: 'active' })
    expect(closed).toEqual([
      { number: 1, startDate: '2027-01-31', renewalDate: '2027-02-28', amountCents: 10_000, renewalCycle: 'monthly' },
    ])
  })

  test('applies the scheduled change once', () => {
    const scheduled = contract({ nextAmountCents: centsFromAmount(120), nextCycle: 'yearly' })
    const { contract: next } = renewal(scheduled, {}, TODAY)
    expect(next).toMatchObject({ amountCents: 12_000, renewalCycle: 'yearly', renewalDate: '2028-02-29' })
    expect(next).toMatchObject({ nextAmountCents: null, nextCycle: null })
  })

  test('takes another amount, cycle or date instead', () => {
    const scheduled = contract({ nextAmountCents: centsFromAmount(120), nextCycle: 'yearly' })
    const request = {
      amountCents: centsFromAmount(90),
      renewalCycle: 'quarterly',
      renewalDate: toDay('2027-06-15'),
    } as const
    expect(renewal(scheduled, request, TODAY).contract).toMatchObject(request)
  })

  test('late, follows on from the old date, or starts today with today as its anchor', () => {
    expect(renewal(contract(), { from: 'term' }, TODAY).contract).toMatchObject({
      termStart: '2027-02-28',
      renewalDate: '2027-03-31',
      anchorDate: null,
    })
    expect(renewal(contract(), { from: 'today' }, TODAY).contract).toMatchObject({
      termStart: '2027-03-10',
      renewalDate: '2027-04-10',
      anchorDate: '2027-03-10',
      startDate: '2027-01-31',
    })
  })

  test.each([
    ['another term than the caller saw', {}, { term: 2 }, 'term_changed'],
    ['a closed contract', { status: 'cancelled' }, {}, 'closed'],
    ['one that ends', { endsOn: '2027-03-20' }, {}, 'ending'],
    [
      'a term that has not begun',
      { termNumber: 2, termStart: '2027-04-01', renewalDate: '2027-05-01' },
      {},
      'not_begun',
    ],
    ['from today, though it is not overdue', { renewalDate: '2027-04-01' }, { from: 'today' }, 'not_overdue'],
    ['to a date before the new term', {}, { renewalDate: toDay('2027-02-28') }, 'too_short'],
    ['to a date before today, from today', {}, { renewalDate: TODAY, from: 'today' }, 'too_short'],
    ['beyond the calendar', { renewalDate: '2999-01-01' }, { term: 1 }, 'too_late'],
    ['a contract with the most terms', { termNumber: MOST_TERMS, termStart: '2027-01-31' }, {}, 'too_many'],
  ] as const)('is refused for %s', (_what, changes, request, obstacle) => {
    expect(obstacleToRenewal(contract(changes), request, TODAY)).toBe(obstacle)
  })

  test('near the end of the calendar takes a date that is given', () => {
    const last = contract({ renewalDate: '2999-06-01' })
    expect(obstacleToRenewal(last, { term: 1, renewalDate: toDay('2999-12-31') }, TODAY)).toBeUndefined()
    expect(obstacleToRenewal(last, { term: 1, renewalDate: toDay('2026-04-19') }, TODAY)).toBe('too_short')
  })

  test('a term that has not begun is renewed for who names it', () => {
    const early = contract({ termNumber: 2, termStart: '2027-04-01', renewalDate: '2027-05-01' })
    expect(obstacleToRenewal(early, { term: 2 }, TODAY)).toBeUndefined()
  })
})

describe('ending', () => {
  test('today closes the contract; a later day leaves it open until then', () => {
    const running = contract({ renewalDate: '2027-04-01' })
    expect(ending(running, TODAY, TODAY)).toMatchObject({ status: 'cancelled', endsOn: TODAY })
    const later = ending(running, toDay('2027-04-01'), TODAY)
    expect(later).toMatchObject({ status: 'active', endsOn: '2027-04-01' })
    expect(byItself(later, toDay('2027-03-31'), null)).toBeUndefined()
    expect(byItself(later, toDay('2027-04-01'), null)).toMatchObject({ act: 'end', contract: { status: 'cancelled' } })
  })

  test.each([
    ['2027-03-09', false],
    ['2027-03-10', true],
    ['2027-04-01', true],
    ['2027-04-02', false],
  ])('on %s is possible: %s', (day, expected) => {
    expect(canEndOn(contract({ renewalDate: '2027-04-01' }), toDay(day), TODAY)).toBe(expected)
  })

  test('an overdue contract can end today alone', () => {
    expect(canEndOn(contract(), TODAY, TODAY)).toBe(true)
    expect(canEndOn(contract(), toDay('2027-03-11'), TODAY)).toBe(false)
    expect(canEndOn(contract(), toDay('2027-02-28'), TODAY)).toBe(false)
  })
})

describe('at the start of a day', () => {
  const automatic = { renews: 'automatic' } as const

  test('a contract that renews by itself does so on its renewal date, not before', () => {
    expect(byItself(contract(automatic), toDay('2027-02-27'), null)).toBeUndefined()
    expect(byItself(contract(automatic), toDay('2027-02-28'), null)).toMatchObject({
      act: 'renew',
      contract: { termNumber: 2, renewalDate: '2027-03-31' },
    })
  })

  test('missed terms are made up, and the scheduled change applies once', () => {
    const scheduled = contract({ ...automatic, nextAmountCents: centsFromAmount(120) })
    const done = byItself(scheduled, toDay('2027-06-10'), null)
    expect(done?.contract).toMatchObject({ termNumber: 5, termStart: '2027-05-31', renewalDate: '2027-06-30' })
    expect(done?.closed.map(({ amountCents }) => amountCents)).toEqual([10_000, 12_000, 12_000, 12_000])
  })

  test('a contract that is more than 60 terms behind is left to a person', () => {
    const done = byItself(contract({ ...automatic, startDate: '2000-01-31', renewalDate: '2000-02-29' }), TODAY, null)
    expect(done?.closed).toHaveLength(60)
    expect(done?.contract).toMatchObject({ termNumber: 61, renewalDate: '2005-02-28', heldRenewalDate: '2005-02-28' })
    expect(done && byItself(done.contract, TODAY, null)).toBeUndefined()
  })

  test('a contract expires after the last term that it can have', () => {
    const last = contract({ ...automatic, termNumber: MOST_TERMS, termStart: toDay('2027-01-31') })
    expect(byItself(last, TODAY, null)).toMatchObject({ act: 'expire', closed: [] })
    const nearlyLast = { ...last, termNumber: MOST_TERMS - 1, renewalDate: toDay('2020-02-29') }
    expect(byItself({ ...nearlyLast, termStart: toDay('2020-01-31') }, TODAY, null)).toMatchObject({
      act: 'renew',
      contract: { termNumber: MOST_TERMS, renewalDate: '2020-03-31', heldRenewalDate: '2020-03-31' },
    })
  })

  test('a contract that never renews expires', () => {
    const done = byItself(contract({ renews: 'never' }), toDay('2027-02-28'), null)
    expect(done).toMatchObject({ act: 'expire', contract: { status: 'expired', endsOn: '2027-02-28' } })
  })

  test('one that renews by agreement stays overdue, or ends when the account says', () => {
    expect(byItself(contract(), TODAY, null)).toBeUndefined()
    expect(byItself(contract(), TODAY, 11)).toBeUndefined()
    expect(byItself(contract(), TODAY, 10)).toMatchObject({
      act: 'end',
      contract: { status: 'cancelled', endsOn: TODAY },
    })
  })

  test('nothing happens to pending and closed contracts, or where it was undone', () => {
    expect(byItself(contract({ ...automatic, status: 'pending' }), TODAY, 1)).toBeUndefined()
    expect(byItself(contract({ ...automatic, status: 'expired' }), TODAY, 1)).toBeUndefined()
    const held = contract({ ...automatic, heldRenewalDate: toDay('2027-02-28') })
    expect(byItself(held, TODAY, 1)).toBeUndefined()
  })

  test('a reopened contract does not close again by itself', () => {
    const reopened = reopening(expiry(contract({ renews: 'never' }), TODAY), 'active', TODAY)
    expect(reopened).toMatchObject({ status: 'active', endsOn: null })
    expect(byItself(reopened, TODAY, null)).toBeUndefined()
  })
})

/** What can happen to a contract: an act of a person, or a night. */
type Step =
  | { kind: 'renew'; request: RenewalRequest }
  | { kind: 'end'; inDays: number }
  | { kind: 'reopen' }
  | { kind: 'undo' }
  | { kind: 'pass'; days: number }

const anyDay = fc.integer({ min: 0, max: 3650 }).map((days) => addDays(toDay('2025-01-01'), days))
const anyCents = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => centsFromAmount(cents / 100))
const anyCycle = fc.constantFrom(...RENEWAL_CYCLES)
const orNot = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('renew' as const),
    request: fc.record({
      amountCents: orNot(anyCents),
      renewalCycle: orNot(anyCycle),
      renewalDate: orNot(anyDay),
      from: orNot(fc.constantFrom('term' as const, 'today' as const)),
      term: orNot(fc.integer({ min: 1, max: 4 })),
    }),
  }),
  fc.record({ kind: fc.constant('end' as const), inDays: fc.integer({ min: 0, max: 400 }) }),
  fc.constant({ kind: 'reopen' as const }),
  fc.constant({ kind: 'undo' as const }),
  fc.record({ kind: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 200 }) }),
)
const anyContract = fc
  .record({
    startDate: anyDay,
    months: fc.integer({ min: 0, max: 30 }),
    offDays: fc.integer({ min: 0, max: 3 }),
    renewalCycle: anyCycle,
    renews: fc.constantFrom(...RENEWS),
    amountCents: anyCents,
    nextAmountCents: fc.option(anyCents),
    nextCycle: fc.option(anyCycle),
  })
  .map(({ months, offDays, startDate, ...others }) =>
    contract({ ...others, startDate, renewalDate: addDays(addMonths(startDate, months), offDays) }),
  )

interface History {
  contract: RenewableContract
  terms: ClosedTerm[]
  today: Day
  /** What undo goes back to. */
  before: { contract: RenewableContract; terms: ClosedTerm[] }[]
}

function stepped(history: History, step: Step): History {
  const { contract: now, terms, today, before } = history
  const acted = (contract: RenewableContract, closed: ClosedTerm[] = []): History => ({
    ...history,
    contract,
    terms: [...terms, ...closed],
    before: [...before, { contract: now, terms }],
  })
  const isClosed = now.status === 'cancelled' || now.status === 'expired'
  switch (step.kind) {
    case 'renew': {
      if (obstacleToRenewal(now, step.request, today)) return history
      const next = renewal(now, step.request, today)
      return acted(next.contract, next.closed)
    }
    case 'end': {
      const on = addDays(today, step.inDays)
      return isClosed || !canEndOn(now, on, today) ? history : acted(ending(now, on, today))
    }
    case 'reopen':
      return isClosed || now.endsOn !== null ? acted(reopening(now, 'active', today)) : history
    case 'undo': {
      const last = before.at(-1)
      return last ? { ...history, ...last, before: before.slice(0, -1) } : history
    }
    case 'pass': {
      let passed = history
      for (let day = 0; day < step.days; day += 1) {
        passed = { ...passed, today: addDays(passed.today, 1) }
        const done = byItself(passed.contract, passed.today, null)
        if (done) passed = { ...passed, contract: done.contract, terms: [...passed.terms, ...done.closed] }
      }
      return passed
    }
  }
}

test.prop([anyContract, fc.array(anyStep, { maxLength: 25 })])(
  'terms follow each other without overlap, and a gap only where a late renewal started today',
  (first, steps) => {
    let history: History = { contract: first, terms: [], today: first.startDate, before: [] }
    for (const step of steps) {
      history = stepped(history, step)
      const { contract: now, terms } = history
      const all = [...terms, { number: now.termNumber, startDate: termStartOf(now), renewalDate: now.renewalDate }]
      expect(all.map(({ number }) => number)).toEqual(all.map((_term, index) => index + 1))
      for (const [index, { startDate, renewalDate }] of all.entries()) {
        if (index > 0) expect(startDate < renewalDate).toBe(true)
        const following = all[index + 1]
        if (following) expect(following.startDate >= renewalDate).toBe(true)
        // A gap ends on the anchor of the terms that follow it.
        if (following && following.startDate > renewalDate && index + 2 === all.length)
          expect(now.anchorDate).toBe(following.startDate)
      }
      expect(now.startDate).toBe(first.startDate)
      expect(now.status === 'cancelled' ? now.endsOn !== null : true).toBe(true)
    }
  },
)

test.prop([anyContract, fc.integer({ min: 0, max: 1500 })])(
  'after a night an automatic contract is never overdue, and every term but the first is whole cycles of the anchor',
  (first, days) => {
    const today = addDays(first.startDate, days)
    const start = { ...first, renews: 'automatic' as const, nextCycle: null }
    const done = byItself(start, today, null)
    expect(done === undefined).toBe(start.renewalDate > today)
    if (!done) return
    expect(done.contract.renewalDate > today || done.closed.length === 60).toBe(true)
    expect(byItself(done.contract, today, null)).toBeUndefined()
    const lengths = done.closed.slice(1).map((term) => daysBetween(term.startDate, term.renewalDate))
    const months = monthsOf(first.renewalCycle)
    expect(lengths.every((length) => length >= 28 * months && length <= 31 * months)).toBe(true)
  },
)
