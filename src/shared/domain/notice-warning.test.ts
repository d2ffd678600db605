import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { addDays, toDay } from './day.ts'
import type { NoticedSubject } from './notice-plan.ts'
import type { NoticeMeans } from './notice-window.ts'
import {
  remedyText,
  WARNING_DAYS,
  warningDue,
  whyNoEmail,
  whyText,
  type NoticeMessage,
  type NoticeSending,
  type Warning,
  type WhyNoEmail,
} from './notice-warning.ts'

const NOW = new Date('2026-03-10T12:00:00Z')
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }
const SUBJECT: NoticedSubject = {
  contract: { status: 'active', renewalDate: toDay('2026-04-01') },
  customer: REACHABLE,
  owner: REACHABLE,
}

function why(subject: Partial<NoticedSubject> = {}, changes: Partial<NoticeSending> = {}) {
  return whyNoEmail({
    subject: { ...SUBJECT, ...subject },
    means: ['email', 'letter'],
    messages: [],
    hasAccess: true,
    hasCompanyName: true,
    isOwnerVerified: true,
    isMailStopped: false,
    now: NOW,
    ...changes,
  })
}

function aMessage(changes: Partial<NoticeMessage> = {}): NoticeMessage {
  return { contactId: 0, state: 'planned', reason: null, plannedAt: NOW, ...changes }
}
const YESTERDAY = new Date('2026-03-09T12:00:00Z')
const TOMORROW = new Date('2026-03-11T12:00:00Z')
const NOBODY = { ...REACHABLE, email: null }

describe('why a notice is not sent by email', () => {
  test('is nothing where it is about to be', () => {
    expect(why()).toBeUndefined()
    expect(why({}, { messages: [aMessage()] })).toBeUndefined()
    expect(why({}, { messages: [aMessage({ plannedAt: TOMORROW })] })).toBeUndefined()
  })

  test.each<[WhyNoEmail, Partial<NoticedSubject>, Partial<NoticeSending>]>([
    ['letter_only', {}, { means: ['letter'] }],
    ['no_access', {}, { hasAccess: false }],
    ['muted', { isMuted: true }, {}],
    ['no_address', { customer: NOBODY }, {}],
    ['opted_out', { customer: { ...REACHABLE, sendNotifications: false } }, {}],
    ['address_bounced', { customer: { ...REACHABLE, hasBounced: true } }, {}],
    ['unsubscribed', { customer: { ...REACHABLE, closed: 'unsubscribed' } }, {}],
    ['complained', { customer: { ...REACHABLE, closed: 'complained' } }, {}],
    ['no_company', {}, { hasCompanyName: false }],
    ['unverified', {}, { isOwnerVerified: false }],
    ['mail_stopped', {}, { isMailStopped: true }],
    ['by_hand', {}, { messages: [aMessage({ state: 'skipped', reason: 'by_hand' })] }],
    ['refused', {}, { messages: [aMessage({ state: 'failed', reason: 'refused', plannedAt: YESTERDAY }), aMessage()] }],
    ['unknown', {}, { messages: [aMessage({ state: 'failed', reason: 'unknown' })] }],
    ['waiting', {}, { messages: [aMessage({ plannedAt: YESTERDAY })] }],
    ['waiting', {}, { messages: [aMessage({ state: 'bounced', plannedAt: YESTERDAY }), aMessage()] }],
    ['waiting', {}, { messages: [aMessage({ state: 'skipped', reason: 'no_access', plannedAt: TOMORROW })] }],
  ])('is %s', (reason, subject, changes) => {
    expect(why(subject, changes)).toBe(reason)
    expect(whyText(reason)).not.toMatch(/[.:]$/)
  })

  test('is none of these as long as another contact can be reached', () => {
    const contacts = [{ ...REACHABLE, id: 4, email: 'cfo@harbor.test', from: toDay('2026-01-01') }]
    expect(why({ customer: NOBODY, contacts })).toBeUndefined()
    expect(why({ customer: NOBODY, contacts: [{ ...NOBODY, id: 4, from: toDay('2026-01-01') }] })).toBe('no_address')
    const skipped = aMessage({ contactId: 4, state: 'skipped', reason: 'by_hand' })
    expect(why({ customer: NOBODY, contacts }, { messages: [skipped] })).toBe('by_hand')
    expect(why({ contacts }, { messages: [skipped] })).toBeUndefined()
  })
})

test('what can be done depends on whether a letter counts', () => {
  const own = (...means: NoticeMeans[]) => ({ means, preset: null })
  expect(remedyText('no_address', own('email', 'letter'))).toBe('Add an email address, or mail a letter.')
  expect(remedyText('no_address', own('email'))).toBe('Add an email address.')
  expect(remedyText('letter_only', own('letter'))).toBe('Mail a letter.')
  expect(remedyText('waiting', own('email'))).toBe('We try again while there is time.')
})

test('how a letter has to be delivered is said where a law wants it in some way', () => {
  expect(remedyText('letter_only', { means: ['letter'], preset: 'new_york_services' })).toBe(
    'Deliver a letter as the law requires: in writing, served personally or by certified mail. Email does not count.',
  )
  expect(remedyText('no_address', { means: ['email', 'letter'], preset: 'wisconsin_business' })).toMatch(
    /^Add an email address, or deliver a letter as the law requires: in writing, by one of the ways of subsection \(4\)/,
  )
})

const LAST = toDay('2026-03-21')
const due = (daysLeft: number, warned: Warning | null = null, reason: WhyNoEmail | undefined = 'no_address') =>
  warningDue({ lastDay: LAST, why: reason, warned }, addDays(LAST, -daysLeft))

describe('a warning', () => {
  test('is given at 7 days and at 2 days, the nearer one where both have passed', () => {
    expect([8, 7, 3, 2, 0, -1].map((left) => due(left))).toEqual([undefined, 7, 7, 2, 2, undefined])
    const first: Warning = { days: 7, lastDay: LAST }
    expect([7, 3, 2, 1].map((left) => due(left, first))).toEqual([undefined, undefined, 2, 2])
    expect(due(1, { days: 2, lastDay: LAST })).toBeUndefined()
  })

  test('is given again of another last day', () => {
    expect(due(6, { days: 7, lastDay: addDays(LAST, 3) })).toBe(7)
    expect(due(6, { days: 2, lastDay: addDays(LAST, -3) })).toBe(7)
  })

  test('is not given of what is about to be sent, and of what waits only in the last days', () => {
    expect(warningDue({ lastDay: LAST, why: undefined, warned: null }, LAST)).toBeUndefined()
    expect(due(7, null, 'waiting')).toBeUndefined()
    expect(due(2, null, 'waiting')).toBe(2)
  })
})

const visits = fc.uniqueArray(fc.integer({ min: -3, max: 40 }), { minLength: 1, maxLength: 30 })
const lengths = fc.integer({ min: 0, max: 30 })

test.prop([visits, lengths])(
  'whenever the planner runs, a window without notice is warned of at most twice, and as soon as it can be',
  (days, length) => {
    const given: { days: number; left: number }[] = []
    let warned: Warning | null = null
    const open = days.toSorted((one, other) => other - one).filter((left) => left <= length)
    for (const left of open) {
      const next = due(left, warned)
      if (next === undefined) continue
      warned = { days: next, lastDay: LAST }
      given.push({ days: next, left })
    }
    expect(given.length).toBeLessThanOrEqual(WARNING_DAYS.length)
    expect(given.map((one) => one.days)).toEqual([...new Set(given.map((one) => one.days))].toSorted((a, b) => b - a))
    for (const one of given) expect(one.left).toBeLessThanOrEqual(one.days)
    const inTime = open.filter((left) => left >= 0)
    const [first] = inTime.filter((left) => left <= 7)
    expect(given[0]?.left).toBe(first)
    expect(given.some((one) => one.days === 2)).toBe(inTime.some((left) => left <= 2))
  },
)
