import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { addDays, daysBetween, toDay, type Day } from './day.ts'
import { PRESETS } from './notice-presets.ts'
import {
  anchorsOfWindows,
  FIRST_IN_CALENDAR,
  isNotComputed,
  NO_WINDOW,
  noticeWindowOf,
  renewalDatesOfWindows,
  ruleText,
  type NoticedTerm,
  type NoticeRule,
  type NoWindow,
  windowRemedy,
} from './notice-window.ts'

const OWN: NoticeRule = {
  unit: 'days',
  from: 30,
  until: 15,
  countedFrom: 'renewal_date',
  means: ['email', 'letter'],
  contents: [],
  exceptMonthly: false,
}

function aTerm(changes: Partial<NoticedTerm> = {}): NoticedTerm {
  return {
    status: 'active',
    renews: 'automatic',
    renewalDate: toDay('2027-04-01'),
    renewalCycle: 'yearly',
    nextCycle: null,
    noticePeriod: '30 days',
    endsOn: null,
    ...changes,
  }
}

describe('a window', () => {
  test('of New York is counted from the last day for notice', () => {
    expect(noticeWindowOf(PRESETS.new_york_services.rule, aTerm())).toEqual({
      days: { from: '2027-01-31', through: '2027-02-15' },
      anchor: '2027-03-02',
      derivation: 'Between Jan 31, 2027 and Feb 15, 2027: 30 to 15 days before Mar 2, 2027, the last day for notice',
    })
  })

  test('in months has the day of the month, or the last one of a shorter month', () => {
    const rule: NoticeRule = { ...OWN, unit: 'months', from: 2, until: 1 }
    expect(noticeWindowOf(rule, aTerm({ renewalDate: toDay('2027-03-31') }))).toMatchObject({
      days: { from: '2027-01-31', through: '2027-02-28' },
      derivation: 'Between Jan 31, 2027 and Feb 28, 2027: 2 to 1 month before Mar 31, 2027, the renewal date',
    })
  })

  test.each([
    [{ from: 10, until: 10 }, 'On Mar 22, 2027: 10 days before Apr 1, 2027, the renewal date'],
    [
      { from: 10, until: 0 },
      'Between Mar 22, 2027 and Apr 1, 2027: at most 10 days before Apr 1, 2027, the renewal date',
    ],
    [{ from: 0, until: 0 }, 'On Apr 1, 2027: on Apr 1, 2027, the renewal date'],
  ])('%j is described', (days, derivation) => {
    expect(noticeWindowOf({ ...OWN, ...days }, aTerm()).derivation).toBe(derivation)
  })

  test.each([
    ['closed', { status: 'expired' }],
    ['ending', { endsOn: toDay('2027-03-01') }],
    ['not_automatic', { renews: 'by_agreement' }],
    ['monthly', { renewalCycle: 'monthly' }],
    ['monthly', { nextCycle: 'monthly' }],
    ['no_last_day', { noticePeriod: null }],
    ['before_calendar', { renewalDate: toDay('1900-02-10') }],
    ['before_calendar', { renewalDate: toDay('1901-02-10'), noticePeriod: '14 months' }],
  ] as const)('is missing as %s of a contract with %j', (why, changes) => {
    expect(noticeWindowOf(PRESETS.new_york_services.rule, aTerm(changes))).toEqual({
      days: null,
      why,
      derivation: NO_WINDOW[why],
    })
  })

  test('cannot be computed for lack of a notice period or before the calendar, and is not needed otherwise', () => {
    const causes: NoWindow[] = ['closed', 'ending', 'not_automatic', 'monthly', 'no_last_day', 'before_calendar']
    expect(Object.keys(NO_WINDOW)).toEqual(causes)
    expect(causes.filter(isNotComputed).map((why) => [why, windowRemedy(why)])).toEqual([
      ['no_last_day', 'Add its notice period'],
      ['before_calendar', 'Check its renewal date and notice period'],
    ])
  })

  test.each(['days', 'months'] as const)('is within the calendar from its first renewal date on, in %s', (unit) => {
    const most = unit === 'days' ? 365 : 24
    const rule: NoticeRule = { ...OWN, unit, from: most, until: 0, countedFrom: 'last_day_for_notice' }
    for (const noticePeriod of ['365 days', '24 months'])
      expect(noticeWindowOf(rule, aTerm({ renewalDate: FIRST_IN_CALENDAR, noticePeriod })).days).not.toBeNull()
  })

  test('of a contract whose next term is longer than a month is not excepted', () => {
    const term = aTerm({ renewalCycle: 'monthly', nextCycle: 'quarterly' })
    expect(noticeWindowOf(PRESETS.new_york_services.rule, term).days).not.toBeNull()
    expect(noticeWindowOf(PRESETS.new_york_leases.rule, aTerm({ renewalCycle: 'monthly' })).days).not.toBeNull()
  })

  const anyDay = fc.integer({ min: 0, max: 73_000 }).map((days): Day => addDays(toDay('1990-01-01'), days))
  const anyRule = fc
    .record({
      unit: fc.constantFrom('days' as const, 'months' as const),
      ends: fc.tuple(fc.nat(24), fc.nat(24)),
      countedFrom: fc.constantFrom('renewal_date' as const, 'last_day_for_notice' as const),
      exceptMonthly: fc.boolean(),
    })
    .map(({ ends: [one, other], ...rule }) => {
      return { ...OWN, ...rule, from: Math.max(one, other), until: Math.min(one, other) }
    })
  const anyTerm = fc
    .record({
      renewalDate: anyDay,
      noticePeriod: fc.constantFrom(null, '30 days', '1 month', '3 months', '1 day', '365 days', '24 months'),
      renewalCycle: fc.constantFrom('monthly' as const, 'yearly' as const),
    })
    .map(aTerm)

  test.prop([anyRule, anyTerm])('begins no later than it ends, and never after its anchor', (rule, term) => {
    const window = noticeWindowOf(rule, term)
    if (!window.days) return
    expect(window.days.from <= window.days.through).toBe(true)
    expect(window.days.through <= window.anchor).toBe(true)
    expect(window.anchor <= term.renewalDate).toBe(true)
  })

  test.prop([anyRule, anyTerm])('in days has as many days as the rule says', (rule, term) => {
    const { days } = noticeWindowOf({ ...rule, unit: 'days' }, term)
    if (days) expect(daysBetween(days.from, days.through)).toBe(rule.from - rule.until)
  })

  test.prop([anyRule, anyTerm, fc.nat(900)])('is found by its anchor on each of its days', (rule, term, at) => {
    const window = noticeWindowOf(rule, term)
    if (!window.days) return
    const { from, through } = window.days
    const day = addDays(from, at % (daysBetween(from, through) + 1))
    const anchors = anchorsOfWindows(rule, { from: day, through: day })
    expect(anchors.from <= window.anchor && window.anchor <= anchors.through).toBe(true)
  })

  test.prop([anyRule, anyRule, anyTerm, fc.nat(900)])('is found by its renewal date', (rule, other, term, at) => {
    const { days } = noticeWindowOf(rule, term)
    if (!days) return
    const day = addDays(days.from, at % (daysBetween(days.from, days.through) + 1))
    const dates = renewalDatesOfWindows([other, rule], { from: day, through: day })
    expect(dates).not.toBeNull()
    expect(dates && dates.from <= term.renewalDate && term.renewalDate <= dates.through).toBe(true)
  })

  test.prop([anyRule, anyTerm, anyDay])('in days is found on its days alone', (rule, term, day) => {
    const byDays: NoticeRule = { ...rule, unit: 'days' }
    const window = noticeWindowOf(byDays, term)
    if (!window.days) return
    const anchors = anchorsOfWindows(byDays, { from: day, through: day })
    const isFound = anchors.from <= window.anchor && window.anchor <= anchors.through
    expect(isFound).toBe(window.days.from <= day && day <= window.days.through)
  })
})

test('without rules there are no renewal dates of windows', () => {
  expect(renewalDatesOfWindows([], { from: toDay('2027-01-01'), through: toDay('2027-04-01') })).toBeNull()
})

describe('a rule', () => {
  test.each([
    [PRESETS.new_york_services.rule, '30 to 15 days before the last day for notice'],
    [{ ...OWN, unit: 'months', from: 3, until: 1 }, '3 to 1 month before the renewal date'],
    [{ ...OWN, from: 1, until: 0 }, 'at most 1 day before the renewal date'],
  ] satisfies [NoticeRule, string][])('%j is described', (rule, text) => {
    expect(ruleText(rule)).toBe(text)
  })
})
