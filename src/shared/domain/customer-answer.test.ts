import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import {
  ANSWER_DEADLINES,
  answerDeadline,
  answerPreferencesOf,
  DEFAULT_ANSWERS,
  effectOf,
  isChangeable,
  isLateToDecline,
  isSameOffer,
  LATE_ENDS,
  linkObstacle,
  offerOf,
  RENEWAL_EFFECTS,
  type AnswerableContract,
} from './customer-answer.ts'
import { addDays, toDay } from './day.ts'
import { centsFromAmount } from './money.ts'
import { RENEWS } from './renews.ts'

const TODAY = toDay('2026-06-01')
const CONTRACT: AnswerableContract = {
  customerId: 3,
  status: 'active',
  amountCents: centsFromAmount(1200),
  renewalCycle: 'yearly',
  startDate: toDay('2025-06-30'),
  renewalDate: toDay('2026-06-30'),
  renews: 'automatic',
  noticePeriod: '14 days',
  termNumber: 2,
  termStart: toDay('2025-06-30'),
  anchorDate: null,
  nextAmountCents: centsFromAmount(1300),
  nextCycle: null,
  endsOn: null,
  heldRenewalDate: null,
}
const LINK = { offer: offerOf(CONTRACT), isRevoked: false }
const NOW = { preferences: DEFAULT_ANSWERS, today: TODAY }

describe('preferences', () => {
  test("are the contract's own, else the account's, else that nothing happens without the owner", () => {
    const none = { hasLink: null, renewal: null, deadline: null, lateEnd: null, showsPdf: null }
    expect(answerPreferencesOf(null, null)).toEqual(DEFAULT_ANSWERS)
    expect(answerPreferencesOf(none, none)).toEqual(DEFAULT_ANSWERS)
    const account = { ...none, hasLink: false, renewal: 'at_once', showsPdf: true } as const
    expect(answerPreferencesOf(account, { ...none, hasLink: true, lateEnd: 'refuse' })).toEqual({
      ...DEFAULT_ANSWERS,
      renewal: 'at_once',
      lateEnd: 'refuse',
      showsPdf: true,
    })
    expect(DEFAULT_ANSWERS.renewal).toBe('waits')
  })
})

describe('a link', () => {
  test('takes an answer while the contract is as it was offered', () => {
    expect(linkObstacle(LINK, CONTRACT, NOW)).toBeUndefined()
    expect(linkObstacle(LINK, { ...CONTRACT, status: 'pending' }, NOW)).toBeUndefined()
  })

  test.each([
    ['revoked', {}, { isRevoked: true }],
    ['renewed', { termNumber: 3, renewalDate: toDay('2027-06-30') }, {}],
    ['closed', { status: 'expired' }, {}],
    ['ending', { endsOn: toDay('2026-06-30') }, {}],
    ['changed', { amountCents: centsFromAmount(1201) }, {}],
    ['changed', { nextAmountCents: null }, {}],
    ['changed', { customerId: 4 }, {}],
    ['changed', { noticePeriod: null }, {}],
    ['changed', { renewalDate: toDay('2026-07-01') }, {}],
  ] as const)('that is %s takes none', (obstacle, change, link) => {
    expect(linkObstacle({ ...LINK, ...link }, { ...CONTRACT, ...change }, NOW)).toBe(obstacle)
  })

  test('takes none where answers are off', () => {
    expect(linkObstacle(LINK, CONTRACT, { ...NOW, preferences: { ...DEFAULT_ANSWERS, hasLink: false } })).toBe('off')
  })

  test.each([
    ['notice', '2026-06-16'],
    ['renewal', '2026-06-30'],
  ] as const)('until %s takes answers through %s', (deadline, last) => {
    const preferences = { ...DEFAULT_ANSWERS, deadline }
    expect(answerDeadline(CONTRACT, preferences)).toBe(last)
    expect(linkObstacle(LINK, CONTRACT, { preferences, today: toDay(last) })).toBeUndefined()
    expect(linkObstacle(LINK, CONTRACT, { preferences, today: addDays(toDay(last), 1) })).toBe('too_late')
  })

  test('without a notice period ends on the day before the renewal date', () => {
    expect(answerDeadline({ ...CONTRACT, noticePeriod: null }, { deadline: 'notice' })).toBe('2026-06-29')
  })

  test('of an open contract works after the renewal date as well', () => {
    expect(linkObstacle(LINK, CONTRACT, { ...NOW, today: toDay('2026-08-01') })).toBeUndefined()
  })
})

describe('an answer', () => {
  const atOnce = { ...DEFAULT_ANSWERS, renewal: 'at_once' } as const

  test('to renew waits for the owner, or takes effect at once', () => {
    expect(effectOf('renew', CONTRACT, NOW)).toBe('waits')
    expect(effectOf('renew', CONTRACT, { ...NOW, preferences: atOnce })).toBe('at_once')
  })

  test('to renew what cannot be renewed by itself waits for the owner', () => {
    const last = { ...CONTRACT, renewalDate: toDay('2998-12-31') }
    expect(effectOf('renew', { ...last, renewalDate: toDay('2999-01-01') }, { ...NOW, preferences: atOnce })).toBe(
      'waits',
    )
  })

  test('that asks for a change always waits', () => {
    expect(effectOf('change', CONTRACT, { ...NOW, preferences: atOnce })).toBe('waits')
  })

  test('not to renew takes effect through the last day for notice, and then is passed on or refused', () => {
    const [last, late] = [toDay('2026-06-16'), toDay('2026-06-17')]
    const refusing = { ...DEFAULT_ANSWERS, lateEnd: 'refuse' } as const
    expect(effectOf('end', CONTRACT, { ...NOW, today: last })).toBe('at_once')
    expect(effectOf('end', CONTRACT, { ...NOW, today: late })).toBe('waits')
    expect(effectOf('end', CONTRACT, { preferences: refusing, today: last })).toBe('at_once')
    expect(effectOf('end', CONTRACT, { preferences: refusing, today: late })).toBe('too_late')
  })

  test.each(['by_agreement', 'never'] as const)('not to renew what renews %s is never late', (renews) => {
    const contract = { ...CONTRACT, renews }
    expect(isLateToDecline(contract, toDay('2026-07-20'))).toBe(false)
    expect(effectOf('end', contract, { ...NOW, today: toDay('2026-07-20') })).toBe('at_once')
  })

  test('can be changed once, within an hour, and not after a decision', () => {
    const answeredAt = new Date('2026-06-01T10:00:00Z')
    const at = (minutes: number) => new Date(answeredAt.getTime() + minutes * 60_000)
    const given = { state: 'done', answeredAt, isChange: false } as const
    expect(isChangeable(given, at(59.9))).toBe(true)
    expect(isChangeable({ ...given, state: 'waiting' }, at(0))).toBe(true)
    expect(isChangeable(given, at(60))).toBe(false)
    expect(isChangeable({ ...given, isChange: true }, at(1))).toBe(false)
    for (const state of ['accepted', 'declined', 'withdrawn'] as const)
      expect(isChangeable({ ...given, state }, at(1))).toBe(false)
  })
})

const anyPreferences = fc.record({
  hasLink: fc.boolean(),
  renewal: fc.constantFrom(...RENEWAL_EFFECTS),
  deadline: fc.constantFrom(...ANSWER_DEADLINES),
  lateEnd: fc.constantFrom(...LATE_ENDS),
  showsPdf: fc.boolean(),
})
const anyContract = fc.record({
  renews: fc.constantFrom(...RENEWS),
  noticePeriod: fc.constantFrom(null, '1 day', '30 days', '2 months'),
})
const anyDay = fc.integer({ min: -400, max: 400 }).map((days) => addDays(CONTRACT.renewalDate, days))

property.prop([anyContract, anyPreferences, anyDay])(
  'a contract changes without its owner only as the preferences say',
  (terms, preferences, today) => {
    const contract = { ...CONTRACT, ...terms }
    if (effectOf('renew', contract, { preferences, today }) === 'at_once') expect(preferences.renewal).toBe('at_once')
    const end = effectOf('end', contract, { preferences, today })
    expect(end === 'at_once').toBe(!isLateToDecline(contract, today))
    if (end === 'too_late') expect(preferences.lateEnd).toBe('refuse')
  },
)

property.prop([anyContract, anyPreferences, anyDay])(
  'a link that has become too late never works again',
  (terms, preferences, today) => {
    const contract = { ...CONTRACT, ...terms }
    const link = { offer: offerOf(contract), isRevoked: false }
    expect(isSameOffer(link.offer, contract)).toBe(true)
    if (linkObstacle(link, contract, { preferences, today }) === undefined) return
    expect(linkObstacle(link, contract, { preferences, today: addDays(today, 1) })).toBeDefined()
  },
)
