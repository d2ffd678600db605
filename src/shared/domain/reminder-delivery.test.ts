import { expectedSkip } from './expected-skip.ts'
import { describe, expect, test } from 'vitest'
import { toDay } from './day.ts'
import { deliveriesOverLimit } from './mail-over-limit.ts'
import {
  deliveryOf,
  isHeldUp,
  isRepeat,
  isReplacedOn,
  reasonWhenReplaced,
  type DeliveryFacts,
  type DueMessage,
  type DueSubject,
  type OtherMessage,
} from './reminder-delivery.ts'
import { DEFAULT_PREFERENCES } from './reminder-preferences.ts'

const RENEWAL = toDay('2026-12-31')
const TODAY = toDay('2026-12-24')
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }
const MESSAGE: DueMessage = {
  recipient: 'customer',
  contactId: 0,
  channel: 'email',
  kind: 'reminder',
  offset: 7,
  day: TODAY,
  renewalDate: RENEWAL,
  termNumber: 2,
  plannedAt: new Date('2026-12-24T08:00:00Z'),
  isInterrupted: false,
  repeats: 0,
  others: [],
  waitsFor: null,
  address: null,
}
const SUBJECT: DueSubject = {
  contract: { status: 'active', renewalDate: RENEWAL },
  customer: REACHABLE,
  owner: REACHABLE,
  preferences: DEFAULT_PREFERENCES,
  history: [],
  since: toDay('2026-01-01'),
  termNumber: 2,
}
const FACTS: DeliveryFacts = {
  subject: SUBJECT,
  now: new Date('2026-12-24T08:00:00Z'),
  today: TODAY,
  hasAccess: true,
  hasCompanyName: true,
  isOwnerVerified: true,
  isMailStopped: false,
}
const TOMORROW = toDay('2026-12-25')
/** A message to the same reader that a clock a day ahead sent. */
const NEWER: OtherMessage = {
  kind: 'reminder',
  day: TOMORROW,
  state: 'sent',
  sentAt: new Date('2026-12-25T08:00:00Z'),
  plannedAt: new Date('2026-12-24T08:00:00Z'),
  nextAttemptAt: null,
}
const LATE = { today: toDay('2027-01-02'), now: new Date('2027-01-02T08:00:00Z') }
const NEW_DATE = { ...SUBJECT, contract: { status: 'active', renewalDate: toDay('2027-12-31') } } as const
const INTERRUPTED = { isInterrupted: true, address: 'orders@harbor.test' }
const MANUAL = { kind: 'manual' } as const

function outcomeOf(message: Partial<DueMessage> = {}, facts: Partial<DeliveryFacts> = {}): string {
  const delivery = deliveryOf({ ...MESSAGE, ...message }, { ...FACTS, ...facts })
  if (delivery.outcome === 'skip') return delivery.reason
  return delivery.outcome === 'wait' ? `waits for ${delivery.for}` : delivery.outcome
}

describe('a message that is due', () => {
  test('is sent by email, or shown in the app', () => {
    expect(outcomeOf()).toBe('send')
    expect(outcomeOf({ recipient: 'owner' })).toBe('send')
    expect(outcomeOf({ recipient: 'owner', contactId: 0, channel: 'in_app' })).toBe('show')
  })

  test.each([
    ['contract_deleted', {}, { subject: undefined }],
    ['date_changed', {}, { subject: NEW_DATE }],
    ['no_access', {}, { hasAccess: false }],
    ['closed', {}, { subject: { ...SUBJECT, contract: { status: 'expired', renewalDate: RENEWAL } } }],
    ['off', {}, { subject: { ...SUBJECT, preferences: { ...DEFAULT_PREFERENCES, enableNotifications: false } } }],
    ['muted', {}, { subject: { ...SUBJECT, isMuted: true } }],
    ['no_address', {}, { subject: { ...SUBJECT, customer: { ...REACHABLE, email: null } } }],
    ['opted_out', {}, { subject: { ...SUBJECT, customer: { ...REACHABLE, sendNotifications: false } } }],
    ['address_bounced', {}, { subject: { ...SUBJECT, customer: { ...REACHABLE, hasBounced: true } } }],
    ['complained', {}, { subject: { ...SUBJECT, customer: { ...REACHABLE, closed: 'complained' } } }],
    ['superseded', { others: [NEWER] }, {}],
    ['superseded', { offset: 14, day: toDay('2026-12-17') }, {}],
    ['too_late', {}, LATE],
  ] as const)('is skipped as %s', (reason, message, facts) => {
    expect(outcomeOf(message, facts)).toBe(reason)
  })

  test.each([
    ['of an occasion', {}, 'waits for day'],
    ['by hand', MANUAL, 'send'],
    ['about an answer', { kind: 'answer', offset: 1 }, 'send'],
    ['that may have been sent', INTERRUPTED, 'send'],
  ] as const)('waits for its day if that has not come in the time zone of now: one %s', (_, message, outcome) => {
    expect(outcomeOf({ ...message, day: TOMORROW })).toBe(outcome)
  })

  const waiting = { kind: 'reminder', state: 'planned', sentAt: null, plannedAt: NEWER.plannedAt } as const
  test.each([
    ['sent', NEWER, 'superseded'],
    ['bounced', { ...NEWER, state: 'bounced' }, 'superseded'],
    ['half-sent', { ...NEWER, state: 'sending', sentAt: null }, 'superseded'],
    ['due', { ...waiting, day: TOMORROW, nextAttemptAt: FACTS.now }, 'superseded'],
    ['not due yet', { ...waiting, day: TOMORROW, nextAttemptAt: LATE.now }, 'send'],
    ['skipped', { ...waiting, day: TOMORROW, state: 'skipped', nextAttemptAt: null }, 'send'],
    ['given up', { ...waiting, day: TOMORROW, state: 'failed', nextAttemptAt: null }, 'send'],
    ['of the same day', { ...NEWER, day: TODAY }, 'send'],
    ['by hand of the same day', { ...NEWER, kind: 'manual', day: TODAY }, 'manual'],
    [
      'by hand of the day before, sent on its day',
      { ...NEWER, kind: 'manual', day: toDay('2026-12-23'), sentOn: TODAY },
      'manual',
    ],
    [
      'by hand of the day before',
      { ...NEWER, kind: 'manual', day: toDay('2026-12-23'), sentOn: toDay('2026-12-23') },
      'send',
    ],
    [
      'by hand, skipped, of the same day',
      { ...waiting, kind: 'manual', state: 'skipped', day: TODAY, nextAttemptAt: null },
      'send',
    ],
    ['older', { ...NEWER, day: toDay('2026-12-23') }, 'send'],
  ] as const)('beside one that is %s', (_what, other, outcome) => {
    expect(outcomeOf({ others: [other] })).toBe(outcome)
  })

  const byHand = { ...waiting, kind: 'manual', day: TODAY, nextAttemptAt: FACTS.now } as const
  const afterDay = { today: TOMORROW, now: new Date('2026-12-25T08:00:00Z') }
  const afterOutage = { today: TOMORROW, now: new Date('2026-12-25T20:00:00Z') }
  test.each<[string, OtherMessage, Partial<DeliveryFacts>, string]>([
    ['is due', byHand, {}, 'manual'],
    ['is held up with it', byHand, { isMailStopped: true }, 'waits for stop'],
    ['is still tried', byHand, afterDay, 'manual'],
    ['is too late', byHand, afterOutage, 'send'],
    ['was sent long ago', { ...byHand, state: 'sent', sentAt: FACTS.now, sentOn: TODAY }, afterOutage, 'manual'],
    ['is too late, and may have been sent', { ...byHand, state: 'sending' }, afterOutage, 'manual'],
    ['of yesterday is being sent', { ...byHand, day: toDay('2026-12-23'), state: 'sending' }, {}, 'send'],
  ])('beside one by hand that %s', (_what, other, facts, outcome) => {
    expect(outcomeOf({ others: [other] }, facts)).toBe(outcome)
  })

  test('is replaced by one that is still tried, however long ago it was planned itself', () => {
    const others = [{ ...byHand, plannedAt: new Date('2026-12-25T18:00:00Z') }]
    expect(outcomeOf({ plannedAt: new Date('2026-12-20T08:00:00Z'), others }, afterOutage)).toBe('manual')
  })

  test('is superseded by a newer one, however long ago that was planned', () => {
    const others = [{ ...waiting, day: TOMORROW, nextAttemptAt: FACTS.now }]
    const now = new Date('2026-12-26T20:00:00Z')
    expect(outcomeOf({ others }, { today: toDay('2026-12-26'), now })).toBe('superseded')
  })

  test('is superseded by one of today that waits for the mail server', () => {
    const today = { ...waiting, day: TOMORROW, nextAttemptAt: LATE.now }
    expect(outcomeOf({ others: [today] }, { today: TOMORROW })).toBe('superseded')
  })

  test('is not superseded by a day before the contract had this renewal date', () => {
    const since = toDay('2026-12-25')
    expect(outcomeOf({ offset: 14, day: toDay('2026-12-17') }, { subject: { ...SUBJECT, since } })).toBe('send')
  })

  test('waits for the name of the company, for a verified owner, and while mail is paused, where it is an email to a customer', () => {
    expect(outcomeOf({}, { hasCompanyName: false, isMailStopped: true })).toBe('waits for company')
    expect(outcomeOf({}, { isOwnerVerified: false, isMailStopped: true })).toBe('waits for owner')
    expect(outcomeOf({}, { isMailStopped: true })).toBe('waits for stop')
    expect(outcomeOf({ recipient: 'owner' }, { hasCompanyName: false, isMailStopped: true })).toBe('send')
  })

  test.each([
    ['limited', { waitsFor: 'account_limit' }, LATE],
    ['limited', { waitsFor: 'address_limit', others: [NEWER] }, {}],
    ['limited', { waitsFor: 'address_limit' }, { subject: NEW_DATE }],
    [
      'opted_out',
      { waitsFor: 'address_limit' },
      { subject: { ...SUBJECT, customer: { ...REACHABLE, sendNotifications: false } } },
    ],
    ['no_company', {}, { ...LATE, hasCompanyName: false }],
    ['unverified', {}, { ...LATE, isOwnerVerified: false }],
    ['mail_stopped', {}, { ...LATE, isMailStopped: true }],
  ] as const)('that waited until it was too late is skipped as %s', (reason, message, facts) => {
    expect(outcomeOf(message, facts)).toBe(reason)
  })
})

describe('a message that was asked for by hand', () => {
  test('obeys neither preferences nor muting nor access', () => {
    const preferences = { ...DEFAULT_PREFERENCES, enableNotifications: false }
    expect(outcomeOf(MANUAL, { subject: { ...SUBJECT, preferences, isMuted: true }, hasAccess: false })).toBe('send')
  })

  test('is sent beside another of its day', () => {
    const others = [{ ...NEWER, day: TODAY }, { ...NEWER, kind: 'manual', day: TODAY } as const]
    expect(outcomeOf({ ...MANUAL, others })).toBe('send')
  })

  test.each([
    ['closed', {}, { subject: { ...SUBJECT, contract: { status: 'cancelled', renewalDate: RENEWAL } } }],
    ['unsubscribed', {}, { subject: { ...SUBJECT, customer: { ...REACHABLE, closed: 'unsubscribed' } } }],
    ['superseded', { others: [NEWER] }, {}],
    ['too_late', {}, { today: toDay('2026-12-26'), now: new Date('2026-12-26T08:00:00Z') }],
  ] as const)('is skipped as %s', (reason, message, facts) => {
    expect(outcomeOf({ ...MANUAL, ...message }, facts)).toBe(reason)
  })
})

describe('a message that may have been sent', () => {
  test('is sent again once, to the same reader', () => {
    expect(outcomeOf(INTERRUPTED)).toBe('send')
    expect(outcomeOf({ ...INTERRUPTED, address: 'ORDERS@harbor.test' })).toBe('send')
    expect(outcomeOf({ ...INTERRUPTED, address: 'old@harbor.test' })).toBe('give_up')
    expect(outcomeOf({ ...INTERRUPTED, repeats: 1 })).toBe('give_up')
  })

  test('is given up where it is not wanted any more: nobody can say that it was skipped', () => {
    expect(outcomeOf(INTERRUPTED, { subject: undefined })).toBe('give_up')
    expect(outcomeOf(INTERRUPTED, LATE)).toBe('give_up')
  })

  test('is a repeat for the reader that it was sent to', () => {
    expect(isRepeat({ ...MESSAGE, ...INTERRUPTED }, REACHABLE)).toBe(true)
    expect(isRepeat({ ...MESSAGE, repeats: 1, address: 'old@harbor.test' }, REACHABLE)).toBe(false)
    expect(isRepeat(MESSAGE, REACHABLE)).toBe(false)
  })
})

test("an email to a customer is held up from its hour on by the account's clock, unless a limit keeps it", () => {
  const evening = { hour: 18, timeZone: 'America/Los_Angeles' }
  const isHeldUpAt = (now: string, message: Partial<DueMessage> = {}) =>
    isHeldUp({ ...MESSAGE, ...message }, new Date(now), evening)
  expect(isHeldUpAt('2026-12-25T01:59:59Z')).toBe(false)
  expect(isHeldUpAt('2026-12-25T02:00:00Z')).toBe(true)
  expect(isHeldUpAt('2026-12-25T02:00:00Z', { waitsFor: 'account_limit' })).toBe(false)
  expect(isHeldUpAt('2026-12-25T02:00:00Z', { recipient: 'owner' })).toBe(false)
  expect(isHeldUpAt('2026-12-25T02:00:00Z', { day: toDay('2026-12-25') })).toBe(false)
})

test('a planned message that a newer one replaces was superseded, or the limit that it waited for kept it', () => {
  expect(reasonWhenReplaced(MESSAGE)).toBe('superseded')
  expect(reasonWhenReplaced({ waitsFor: 'account_limit' })).toBe('limited')
})

test('one that is put off until a day replaces those of that day', () => {
  expect(isReplacedOn(TODAY, MESSAGE)).toBe(true)
  expect(isReplacedOn(TOMORROW, MESSAGE)).toBe(false)
})

test('an email that is over a limit waits, unless it was asked for by hand or may have been sent', () => {
  const over = (...messages: Partial<DueMessage>[]) =>
    deliveriesOverLimit(
      messages.map((one) => ({ ...MESSAGE, ...one })),
      'address_limit',
    )
  expect(over({}, {})).toEqual([
    { outcome: 'wait', for: 'address_limit' },
    { outcome: 'wait', for: 'address_limit' },
  ])
  expect(over(MANUAL)).toEqual([{ outcome: 'skip', reason: 'limited' }])
  expect(over(INTERRUPTED, {})).toEqual([{ outcome: 'give_up' }, { outcome: 'skip', reason: 'limited' }])
})

test('a message that waits says what would keep it from being sent', () => {
  const facts = { contract: SUBJECT.contract, isMailStopped: false }
  expect(expectedSkip(MESSAGE, facts)).toBeUndefined()
  expect(expectedSkip(MESSAGE, { ...facts, contract: NEW_DATE.contract })).toBe('date_changed')
  expect(expectedSkip(MESSAGE, { ...facts, contract: { ...SUBJECT.contract, status: 'expired' } })).toBe('closed')
  expect(expectedSkip(MESSAGE, { ...facts, isMailStopped: true })).toBe('mail_stopped')
  expect(expectedSkip({ ...MESSAGE, recipient: 'owner' }, { ...facts, isMailStopped: true })).toBeUndefined()
})
