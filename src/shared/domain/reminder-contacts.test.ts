import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { addDays, toDay, type Day } from './day.ts'
import { mailboxOf } from './mail-limits.ts'
import { occasionsOf } from './reminder-occasions.ts'
import {
  customerLine,
  isRecorded,
  obstacle,
  plan,
  unreachableAt,
  type Decision,
  type PastMessage,
  type Subject,
} from './reminder-plan.ts'
import { DEFAULT_PREFERENCES } from './reminder-preferences.ts'

const RENEWAL = toDay('2026-12-31')
const LONG_AGO = toDay('2026-01-01')
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }
const BUYER = { ...REACHABLE, id: 5, email: 'buyer@harbor.test', from: LONG_AGO }

function aSubject(changes: Partial<Subject> = {}): Subject {
  return {
    contract: { status: 'active', renewalDate: RENEWAL },
    customer: REACHABLE,
    owner: REACHABLE,
    preferences: DEFAULT_PREFERENCES,
    history: [],
    ...changes,
  }
}

function toCustomer(subject: Subject, day: Day, from = day) {
  return plan(subject, { from, through: day })
    .filter(({ recipient }) => recipient === 'customer')
    .map(({ offset, contactId, verdict }) => `${offset} ${contactId} ${verdict}`)
}

const WEEK_BEFORE = toDay('2026-12-24')

describe('a customer with several contacts', () => {
  test('each of them gets the message, and the owner one about it', () => {
    const decisions = plan(aSubject({ contacts: [BUYER] }), { from: WEEK_BEFORE, through: WEEK_BEFORE })
    expect(decisions.map(({ recipient, contactId, channel }) => `${recipient} ${contactId} ${channel}`)).toEqual([
      'customer 0 email',
      'customer 5 email',
      'owner 0 email',
      'owner 0 in_app',
    ])
  })

  test('one who cannot be reached does not keep the others from it', () => {
    const contacts = [{ ...BUYER, closed: 'unsubscribed' as const }]
    expect(toCustomer(aSubject({ contacts }), WEEK_BEFORE)).toEqual(['7 0 due', '7 5 unsubscribed'])
    const customer = { ...REACHABLE, email: null }
    expect(toCustomer(aSubject({ customer, contacts: [BUYER] }), WEEK_BEFORE)).toEqual(['7 0 no_address', '7 5 due'])
  })

  test('a second contact with the address of an earlier one gets no second copy', () => {
    const same = { ...BUYER, email: 'Orders+renewals@harbor.test' }
    expect(toCustomer(aSubject({ contacts: [same] }), WEEK_BEFORE)).toEqual(['7 0 due', '7 5 second_copy'])
    const contacts = [BUYER, { ...BUYER, id: 6 }]
    expect(toCustomer(aSubject({ contacts }), WEEK_BEFORE)).toEqual(['7 0 due', '7 5 due', '7 6 second_copy'])
  })

  test('a new contact gets nothing about days that were planned without it', () => {
    const contacts = [{ ...BUYER, from: addDays(WEEK_BEFORE, 1) }]
    expect(toCustomer(aSubject({ contacts }), WEEK_BEFORE)).toEqual(['7 0 due'])
    expect(toCustomer(aSubject({ contacts }), toDay('2027-01-03'))).toEqual(['3 0 due', '3 5 due'])
  })

  test('muting, ending, and what was sent by hand count for each', () => {
    const contacts = [BUYER]
    expect(toCustomer(aSubject({ contacts, isMuted: true }), WEEK_BEFORE)).toEqual(['7 0 muted', '7 5 muted'])
    expect(toCustomer(aSubject({ contacts, isEnding: true }), WEEK_BEFORE)).toEqual(['7 0 ending', '7 5 ending'])
    const manual: PastMessage = { ...customerLine(5), kind: 'manual', offset: 7, day: WEEK_BEFORE, counts: true }
    expect(toCustomer(aSubject({ contacts, history: [manual] }), WEEK_BEFORE)).toEqual(['7 0 due', '7 5 manual'])
  })

  test('a contact that gets no reminders any more gets nothing that was planned', () => {
    const message = { ...customerLine(5), kind: 'reminder', offset: 7, day: WEEK_BEFORE } as const
    expect(obstacle(aSubject({ contacts: [BUYER] }), message, WEEK_BEFORE)).toBeUndefined()
    expect(obstacle(aSubject(), message, WEEK_BEFORE)).toBe('contact_off')
  })
})

const anyReader = fc.record({
  email: fc.constantFrom(null, 'a@harbor.test', 'A@harbor.test', 'b@harbor.test', 'c@harbor.test'),
  sendNotifications: fc.boolean(),
  hasBounced: fc.boolean(),
  closed: fc.constantFrom(null, 'unsubscribed' as const),
})
const anyContacts = fc
  .array(fc.tuple(anyReader, fc.integer({ min: -40, max: 40 })), { maxLength: 4 })
  .map((all) => all.map(([reader, from], index) => ({ ...reader, id: index + 1, from: addDays(RENEWAL, from) })))
const anyRuns = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 })

function keyOf({ kind, offset, recipient, contactId, channel }: Decision): string {
  return `${kind} ${offset} ${recipient} ${contactId} ${channel}`
}

/** What is decided if the account is planned on these days, the last planned one each time again. */
function decisionsOf(subject: Subject, runs: readonly number[]): Decision[] {
  const decided: Decision[] = []
  let from = addDays(RENEWAL, -35)
  for (const days of runs) {
    const through = addDays(from, days)
    const history = decided.map((one) => ({ ...one, counts: one.verdict === 'due' }))
    decided.push(...plan({ ...subject, history }, { from, through }).filter(isRecorded))
    from = through
  }
  return decided
}

test.prop([anyReader, anyContacts, anyRuns])(
  'whenever it is planned, each contact gets a message once, on no day before its own, and no address two copies',
  (customer, contacts, runs) => {
    const subject = aSubject({ customer, contacts })
    const decided = decisionsOf(subject, runs)
    expect(new Set(decided.map(keyOf)).size).toBe(decided.length)
    const copies = decided.filter(({ verdict, recipient }) => verdict === 'due' && recipient === 'customer')
    const addresses = copies.map(({ kind, offset, contactId }) => {
      const reader = [{ ...customer, id: 0 }, ...contacts].find(({ id }) => id === contactId)
      return `${kind} ${offset} ${mailboxOf(reader?.email ?? '')}`
    })
    expect(new Set(addresses).size).toBe(addresses.length)
    for (const { day, contactId } of decided) {
      const from = contacts.find(({ id }) => id === contactId)?.from
      if (from) expect(day >= from).toBe(true)
    }
  },
)

test.prop([anyReader, anyContacts, fc.integer({ min: -35, max: 35 })])(
  'without an outage everybody who can be reached is told on every occasion, and further contacts change nothing for the others',
  (customer, contacts, end) => {
    const today = addDays(RENEWAL, end)
    const subject = aSubject({ customer, contacts })
    const decisions = plan(subject, { from: today, through: today })
    const occasions = occasionsOf(RENEWAL, DEFAULT_PREFERENCES).filter(({ day }) => day === today).length
    const reached = contacts.filter(({ id, from }) => from <= today && !unreachableAt(subject, customerLine(id)))
    const toContacts = decisions.filter(({ contactId, verdict }) => contactId !== 0 && verdict === 'due')
    expect(toContacts).toHaveLength(reached.length * occasions)
    const alone = plan(aSubject({ customer }), { from: today, through: today })
    expect(decisions.filter(({ contactId }) => contactId === 0)).toEqual(alone)
  },
)
