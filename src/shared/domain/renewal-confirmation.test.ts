import { describe, expect, test } from 'vitest'
import { toDay } from './day.ts'
import { deliveryOf, type DeliveryFacts, type DueMessage, type DueSubject } from './reminder-delivery.ts'
import { plan, type PastMessage, type Subject } from './reminder-plan.ts'
import { DEFAULT_PREFERENCES } from './reminder-preferences.ts'
import { confirmationObstacle } from './renewal-confirmation.ts'

const TODAY = toDay('2026-12-24')
const RENEWAL = toDay('2027-12-24')
const LINE = { recipient: 'customer', contactId: 0, channel: 'email' } as const
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }
const ADA = { ...REACHABLE, id: 5, from: TODAY, email: 'ada@harbor.test' }
const SUBJECT: DueSubject = {
  contract: { status: 'active', renewalDate: RENEWAL },
  customer: REACHABLE,
  contacts: [ADA],
  owner: REACHABLE,
  preferences: { ...DEFAULT_PREFERENCES, enableNotifications: false },
  history: [],
  since: TODAY,
  termNumber: 2,
}

function obstacleOf(changes: Partial<DueSubject> = {}, { contactId = 0, today = TODAY } = {}) {
  return confirmationObstacle({ ...SUBJECT, ...changes }, { ...LINE, contactId, day: TODAY }, today)
}

describe('a confirmation of a renewal', () => {
  test('goes to each contact, also where reminders are turned off', () => {
    expect(obstacleOf()).toBeUndefined()
    expect(obstacleOf({}, { contactId: 5 })).toBeUndefined()
  })

  test.each([
    ['closed', { contract: { status: 'cancelled', renewalDate: RENEWAL } }],
    ['ending', { isEnding: true }],
    ['muted', { isMuted: true }],
    ['no_address', { customer: { ...REACHABLE, email: null } }],
    ['opted_out', { customer: { ...REACHABLE, sendNotifications: false } }],
    ['address_bounced', { customer: { ...REACHABLE, hasBounced: true } }],
    ['unsubscribed', { customer: { ...REACHABLE, closed: 'unsubscribed' } }],
    ['complained', { customer: { ...REACHABLE, closed: 'complained' } }],
  ] as const)('is not sent: %s', (reason, changes) => {
    expect(obstacleOf(changes)).toBe(reason)
  })

  test('does not go to a contact that gets no messages, or that has the address of another', () => {
    expect(obstacleOf({ contacts: [] }, { contactId: 5 })).toBe('contact_off')
    expect(obstacleOf({ contacts: [{ ...ADA, email: 'Orders@harbor.test' }] }, { contactId: 5 })).toBe('second_copy')
  })

  test('is no news after a week', () => {
    expect(obstacleOf({}, { today: toDay('2026-12-31') })).toBeUndefined()
    expect(obstacleOf({}, { today: toDay('2027-01-01') })).toBe('too_late')
  })
})

const MESSAGE: DueMessage = {
  ...LINE,
  kind: 'confirmation',
  offset: 0,
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
const FACTS: DeliveryFacts = {
  subject: SUBJECT,
  now: new Date('2026-12-24T08:00:00Z'),
  today: TODAY,
  hasAccess: true,
  hasCompanyName: true,
  isOwnerVerified: true,
  isMailStopped: false,
}
const REMINDER = {
  kind: 'reminder',
  day: toDay('2026-12-28'),
  state: 'sent',
  sentAt: new Date('2026-12-28T08:00:00Z'),
  plannedAt: new Date('2026-12-28T08:00:00Z'),
  nextAttemptAt: null,
} as const
const LATE = { today: toDay('2027-01-05') }

function deliveredAs(message: Partial<DueMessage>, facts: Partial<DeliveryFacts> = {}) {
  const delivery = deliveryOf({ ...MESSAGE, ...message }, { ...FACTS, ...facts })
  if (delivery.outcome === 'skip') return delivery.reason
  return delivery.outcome === 'wait' ? `waits for ${delivery.for}` : delivery.outcome
}

test.each([
  ['send', {}, {}],
  ['send', { renewalDate: toDay('2027-11-24') }, {}],
  ['send', { others: [REMINDER] }, { today: REMINDER.day }],
  ['undone', {}, { subject: { ...SUBJECT, termNumber: 1 } }],
  ['renewed', {}, { subject: { ...SUBJECT, termNumber: 3 } }],
  ['contract_deleted', {}, { subject: undefined }],
  ['no_access', {}, { hasAccess: false }],
  ['waits for company', {}, { hasCompanyName: false }],
  ['waits for owner', {}, { isOwnerVerified: false }],
  ['waits for stop', {}, { isMailStopped: true }],
  ['too_late', {}, LATE],
  ['no_company', {}, { ...LATE, hasCompanyName: false }],
  ['unverified', {}, { ...LATE, isOwnerVerified: false }],
  ['mail_stopped', {}, { ...LATE, isMailStopped: true }],
  ['limited', { waitsFor: 'account_limit' }, LATE],
  ['give_up', { isInterrupted: true, address: 'former@harbor.test' }, {}],
] as const)('when it is due its fate is: %s (%j, %j)', (fate, message, facts) => {
  expect(deliveredAs(message, facts)).toBe(fate)
})

test('a confirmation that was put off until later keeps no reminder from being sent', () => {
  const confirmation = { ...REMINDER, kind: 'confirmation' } as const
  const subject = { ...SUBJECT, preferences: DEFAULT_PREFERENCES, contacts: [] }
  const reminder = { kind: 'reminder', offset: 365, others: [confirmation] } as const
  expect(deliveredAs(reminder, { subject, today: REMINDER.day })).toBe('send')
})

/** What becomes of the reminder of 30 days before the renewal, on its day. */
function reminderAfter(past: Partial<PastMessage>, today = TODAY) {
  const contract = { status: 'active', renewalDate: toDay('2027-01-23') } as const
  const confirmation: PastMessage = { ...LINE, kind: 'confirmation', offset: 0, day: TODAY, counts: true, ...past }
  const subject: Subject = {
    ...SUBJECT,
    contract,
    contacts: [],
    preferences: DEFAULT_PREFERENCES,
    history: [confirmation],
  }
  const decisions = plan(subject, { from: TODAY, through: today })
  return decisions.find(({ recipient, offset }) => recipient === 'customer' && offset === 30)?.verdict
}

test('on the day on which a renewal is confirmed, there is no reminder of the next one besides', () => {
  expect(reminderAfter({})).toBe('confirmed')
  expect(reminderAfter({ counts: false })).toBe('due')
  expect(reminderAfter({ day: toDay('2026-12-23') })).toBe('due')
  expect(reminderAfter({ day: toDay('2026-12-28') })).toBe('due')
  expect(reminderAfter({ day: toDay('2026-12-25') }, toDay('2026-12-25'))).toBe('confirmed')
  expect(reminderAfter({ contactId: 5 })).toBe('due')
})
