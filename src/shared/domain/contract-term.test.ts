import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { CONTRACT_STATUSES, isOpen, type ContractStatus } from './contract-status.ts'
import {
  attentionLevel,
  attentionUntil,
  daysLeft,
  EXPIRING_WITHIN_DAYS,
  expiringWindow,
  isExpiringSoon,
  isNoticeDue,
  isOverdue,
  monthEndWindow,
  needsAttention,
  NOTICE_WITHIN_DAYS,
  overdueWindow,
  renewalWindow,
  startedWindow,
  laterThisMonthWindow,
  timeLeftTone,
} from './contract-term.ts'
import { addDays, monthOf, toDay, type Day } from './day.ts'

const TODAY = toDay('2026-11-21')
const anyDay = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => toDay(date.toISOString().slice(0, 10)))
const anyTerm = fc.record({ status: fc.constantFrom(...CONTRACT_STATUSES), renewalDate: anyDay })
// Mostly near the edges, where a rule and its window could disagree.
const anyTermNear = (today: Day) =>
  fc.record({
    status: fc.constantFrom(...CONTRACT_STATUSES),
    renewalDate: fc.integer({ min: -40, max: 40 }).map((count) => addDays(today, count)),
  })

function renewingIn(days: number, status: ContractStatus = 'active') {
  return { status, renewalDate: addDays(TODAY, days) }
}

describe('days left', () => {
  test('are the calendar days from today to the renewal date', () => {
    expect(daysLeft(renewingIn(5), TODAY)).toBe(5)
    expect(daysLeft({ status: 'active', renewalDate: toDay('2027-03-01') }, toDay('2027-02-28'))).toBe(1)
  })

  test('are 0 on the renewal day and negative once it has passed', () => {
    expect(daysLeft(renewingIn(0), TODAY)).toBe(0)
    expect(daysLeft(renewingIn(-1), TODAY)).toBe(-1)
  })
})

describe('a contract is overdue', () => {
  test('when its days left are below 0', () => {
    expect(isOverdue(renewingIn(-1), TODAY)).toBe(true)
    expect(isOverdue(renewingIn(-400), TODAY)).toBe(true)
    expect(isOverdue(renewingIn(0), TODAY)).toBe(false)
    expect(isOverdue(renewingIn(1), TODAY)).toBe(false)
  })

  test('only while it is open', () => {
    expect(CONTRACT_STATUSES.filter((status) => isOverdue(renewingIn(-1, status), TODAY))).toEqual([
      'pending',
      'active',
    ])
  })
})

describe('a contract is expiring soon', () => {
  test('from 0 to 30 days left, both included', () => {
    expect([-1, 0, 1, 29, 30, 31].filter((days) => isExpiringSoon(renewingIn(days), TODAY))).toEqual([0, 1, 29, 30])
  })

  test('only while it is open', () => {
    expect(CONTRACT_STATUSES.filter((status) => isExpiringSoon(renewingIn(3, status), TODAY))).toEqual([
      'pending',
      'active',
    ])
  })

  test('within the window that the database is asked with', () => {
    expect(expiringWindow(TODAY)).toEqual({ from: '2026-11-21', through: '2026-12-21' })
  })

  test.prop([anyDay.chain((today) => fc.tuple(anyTermNear(today), fc.constant(today)))])(
    'exactly when it is open and its renewal date lies in that window',
    ([contract, today]) => {
      const { from, through } = expiringWindow(today)
      const within = contract.renewalDate >= from && contract.renewalDate <= through
      expect(isExpiringSoon(contract, today)).toBe(isOpen(contract.status) && within)
      const left = daysLeft(contract, today)
      expect(within).toBe(left >= 0 && left <= EXPIRING_WITHIN_DAYS)
    },
  )
})

describe('a contract requires attention', () => {
  test('when it is overdue or expiring soon', () => {
    expect([-400, -1, 0, 30, 31].filter((days) => needsAttention(renewingIn(days), TODAY))).toEqual([-400, -1, 0, 30])
  })

  test('only while it is open: expired and cancelled ones have been dealt with', () => {
    expect(CONTRACT_STATUSES.filter((status) => needsAttention(renewingIn(-1, status), TODAY))).toEqual([
      'pending',
      'active',
    ])
  })

  test.prop([fc.oneof(anyTerm, anyTermNear(TODAY))])('in one of the two ways, never in both', (contract) => {
    const ways = [isOverdue(contract, TODAY), isExpiringSoon(contract, TODAY)]
    expect(ways.filter(Boolean)).toHaveLength(needsAttention(contract, TODAY) ? 1 : 0)
    const { from, through } = overdueWindow(TODAY)
    const isWithin = contract.renewalDate >= from && contract.renewalDate <= through
    expect(isOverdue(contract, TODAY)).toBe(isOpen(contract.status) && isWithin)
  })

  test.prop([fc.oneof(anyTerm, anyTermNear(TODAY))])(
    'exactly when it is open and renews by the last day asked for',
    (contract) => {
      const due = contract.renewalDate <= attentionUntil(TODAY)
      expect(needsAttention(contract, TODAY)).toBe(isOpen(contract.status) && due)
    },
  )
})

describe('the contracts page', () => {
  test.each([
    ['2026-11-21', '2026-11-30'],
    ['2026-11-01', '2026-11-30'],
    ['2026-11-30', '2026-11-30'],
    ['2026-12-31', '2026-12-31'],
    ['2028-02-29', '2028-02-29'],
    ['2028-02-01', '2028-02-29'],
  ])('counts as expiring on %s what renews until %s', (today, through) => {
    expect(monthEndWindow(toDay(today))).toEqual({ from: today, through })
  })
})

describe('new this month', () => {
  test.each([
    ['2026-11-21', '2026-11-01'],
    ['2026-11-01', '2026-11-01'],
    ['2026-12-31', '2026-12-01'],
  ])('on %s is what started on or after %s and not after today', (today, from) => {
    expect(startedWindow(monthOf(toDay(today)), toDay(today))).toEqual({ from, through: today })
  })

  test.prop([anyDay])('and what starts later are the days of the month, each in one of the two', (today) => {
    const [started, later] = [startedWindow(monthOf(today), today), laterThisMonthWindow(today)]
    expect(addDays(started.through, 1)).toBe(later.from)
    expect([monthOf(started.from), monthOf(started.through), monthOf(later.through)]).toEqual(
      Array(3).fill(monthOf(today)),
    )
    expect(started.from.endsWith('-01')).toBe(true)
    expect(addDays(later.through, 1).endsWith('-01')).toBe(true)
  })
})

test('what has started in a month is all of an earlier one and nothing of a later one', () => {
  expect(startedWindow('2026-02', TODAY)).toEqual({ from: '2026-02-01', through: '2026-02-28' })
  const { from, through } = startedWindow('2026-12', TODAY)
  expect(from > through).toBe(true)
})

test('the window of so many days includes today and the last of them', () => {
  expect(renewalWindow(TODAY, 0)).toEqual({ from: TODAY, through: TODAY })
  expect(renewalWindow(TODAY, EXPIRING_WITHIN_DAYS)).toEqual(expiringWindow(TODAY))
})

test.each([
  [-400, 'overdue'],
  [-1, 'overdue'],
  [0, 'soon'],
  [30, 'soon'],
  [31, 'later'],
  [400, 'later'],
])('a row with %i days left is %s', (days, level) => {
  expect(attentionLevel(days)).toBe(level)
})

test.each([
  [-1, 'red'],
  [0, 'red'],
  [7, 'red'],
  [8, 'yellow'],
  [30, 'yellow'],
  [31, 'green'],
])('the time left of %i days is %s', (days, tone) => {
  expect(timeLeftTone(days)).toBe(tone)
})

test.prop([anyTermNear(TODAY), fc.integer({ min: 1, max: 40 })])(
  'notice is due for 7 days, of open contracts without an end, and never of overdue ones',
  (term, before) => {
    const noticeDate = addDays(term.renewalDate, -before)
    const isNear = noticeDate >= TODAY && noticeDate <= addDays(TODAY, NOTICE_WITHIN_DAYS)
    const isDue = isNoticeDue({ ...term, noticeDate, endsOn: null }, TODAY)
    expect(isDue).toBe(isOpen(term.status) && isNear)
    if (isDue) expect(isOverdue(term, TODAY)).toBe(false)
    expect(isNoticeDue({ ...term, noticeDate, endsOn: term.renewalDate }, TODAY)).toBe(false)
    expect(isNoticeDue({ ...term, noticeDate: null, endsOn: null }, TODAY)).toBe(false)
  },
)
