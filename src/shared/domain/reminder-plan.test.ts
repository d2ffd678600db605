import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { CONTRACT_STATUSES } from './contract-status.ts'
import { addDays, toDay, type Day } from './day.ts'
import { occasionsOf } from './reminder-occasions.ts'
import {
  isRecorded,
  isUnwanted,
  isUpcoming,
  obstacle,
  plan,
  type Decision,
  type PastMessage,
  type Subject,
} from './reminder-plan.ts'
import { DEFAULT_PREFERENCES, FOLLOW_UP_DAYS, REMINDER_DAYS } from './reminder-preferences.ts'

const RENEWAL = toDay('2026-12-31')
const REACHABLE = { email: 'orders@harbor.test', sendNotifications: true, hasBounced: false, closed: null }

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

function on(day: string, from = day) {
  return { from: toDay(from), through: toDay(day) }
}

function due(decisions: Decision[]) {
  return decisions
    .filter(({ verdict }) => verdict === 'due')
    .map(({ kind, offset, recipient, channel }) => `${kind} ${offset} ${recipient} ${channel}`)
}

function toCustomer(decisions: Decision[]) {
  return decisions
    .filter(({ recipient }) => recipient === 'customer')
    .map(({ kind, offset, verdict }) => `${kind} ${offset} ${verdict}`)
}

function ledgerOf(decisions: Decision[]): PastMessage[] {
  return decisions.map((one) => ({ ...one, counts: one.verdict === 'due' }))
}

const anySubject = fc.record({
  contract: fc.record({ status: fc.constantFrom(...CONTRACT_STATUSES), renewalDate: fc.constant(RENEWAL) }),
  customer: fc.record({
    email: fc.constantFrom('orders@harbor.test', null),
    sendNotifications: fc.boolean(),
    hasBounced: fc.boolean(),
    closed: fc.constantFrom(null, 'unsubscribed' as const, 'complained' as const),
  }),
  owner: fc.constant(REACHABLE),
  preferences: fc.record({
    enableNotifications: fc.boolean(),
    reminderDays: fc.subarray([...REMINDER_DAYS]),
    followUpDays: fc.subarray([...FOLLOW_UP_DAYS]),
    notificationMethods: fc.record({ email: fc.boolean(), inApp: fc.boolean() }),
  }),
  history: fc.constant([]),
})
const anyDays = fc
  .tuple(fc.integer({ min: -45, max: 70 }), fc.integer({ min: 0, max: 60 }))
  .map(([end, length]) => ({ from: addDays(RENEWAL, end - length), through: addDays(RENEWAL, end) }))

describe('on the day of an occasion', () => {
  test('the customer is told by email, the owner by email and in the app', () => {
    expect(due(plan(aSubject(), on('2026-12-24')))).toEqual([
      'reminder 7 customer email',
      'reminder 7 owner email',
      'reminder 7 owner in_app',
    ])
    expect(due(plan(aSubject(), on('2027-01-03')))).toContain('follow_up 3 customer email')
  })

  test('the owner is told as the preferences say, and the customer all the same', () => {
    const methods = (email: boolean, inApp: boolean) =>
      aSubject({ preferences: { ...DEFAULT_PREFERENCES, notificationMethods: { email, inApp } } })
    expect(due(plan(methods(false, true), on('2026-12-24')))).toEqual([
      'reminder 7 customer email',
      'reminder 7 owner in_app',
    ])
    expect(due(plan(methods(false, false), on('2026-12-24')))).toEqual(['reminder 7 customer email'])
  })

  test.each([
    [{ email: null }, 'no_address'],
    [{ email: '' }, 'no_address'],
    [{ sendNotifications: false }, 'opted_out'],
    [{ hasBounced: true }, 'address_bounced'],
    [{ closed: 'unsubscribed' as const, sendNotifications: false, hasBounced: true }, 'unsubscribed'],
    [{ closed: 'complained' as const }, 'complained'],
  ])('a customer who cannot be reached (%o) is not written to, and the owner is', (changes, reason) => {
    const decisions = plan(aSubject({ customer: { ...REACHABLE, ...changes } }), on('2026-12-24'))
    expect(toCustomer(decisions)).toEqual([`reminder 7 ${reason}`])
    expect(due(decisions)).toHaveLength(2)
  })

  test.each(['expired', 'cancelled'] as const)('nothing is due for a contract that is %s', (status) => {
    const decisions = plan(aSubject({ contract: { status, renewalDate: RENEWAL } }), on('2026-12-24'))
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['closed']))
  })

  test('nothing is due while notifications are off', () => {
    const off = aSubject({ preferences: { ...DEFAULT_PREFERENCES, enableNotifications: false } })
    expect(new Set(plan(off, on('2026-12-24')).map(({ verdict }) => verdict))).toEqual(new Set(['off']))
  })

  test('what the ledger has is not due again', () => {
    const history = ledgerOf(plan(aSubject(), on('2026-12-24')))
    expect(due(plan(aSubject({ history }), on('2026-12-24')))).toEqual([])
  })
})

test('on any other day nothing falls due', () => {
  expect(plan(aSubject(), on('2026-12-25'))).toEqual([])
})

test('a reminder by hand is named as what took its place, in whatever order the ledger has it and another', () => {
  const line = { recipient: 'customer', contactId: 0, channel: 'email', counts: true } as const
  const byHand: PastMessage = { ...line, kind: 'manual', offset: 7, day: toDay('2026-12-24') }
  const putOff: PastMessage = { ...line, kind: 'follow_up', offset: 7, day: toDay('2027-01-09') }
  for (const history of [
    [byHand, putOff],
    [putOff, byHand],
  ])
    expect(toCustomer(plan(aSubject({ history }), on('2026-12-24')))).toEqual(['reminder 7 manual'])
})

describe('days that were missed', () => {
  test('collapse into the one most urgent message', () => {
    expect(toCustomer(plan(aSubject(), on('2026-12-28', '2026-11-30')))).toEqual([
      'reminder 30 superseded',
      'reminder 14 superseded',
      'reminder 7 due',
    ])
  })

  test('before the renewal date do not lead to a reminder after it', () => {
    const preferences = { ...DEFAULT_PREFERENCES, followUpDays: [] }
    expect(toCustomer(plan(aSubject({ preferences }), on('2026-12-31', '2026-12-29')))).toEqual(['reminder 1 due'])
    expect(toCustomer(plan(aSubject({ preferences }), on('2027-01-01', '2026-12-29')))).toEqual(['reminder 1 too_late'])
  })

  test('are made good for 30 days after a renewal date', () => {
    expect(toCustomer(plan(aSubject(), on('2027-02-06', '2027-01-07')))).toEqual(['follow_up 7 due'])
    expect(toCustomer(plan(aSubject(), on('2027-02-07', '2027-01-07')))).toEqual(['follow_up 7 too_late'])
  })

  test('before the contract had this renewal date are none', () => {
    expect(toCustomer(plan(aSubject(), on('2026-12-28', '2026-12-25')))).toEqual([])
  })
})

describe('a manual reminder', () => {
  const manual = (day: string, counts = true): PastMessage[] => [
    { kind: 'manual', offset: 7, day: toDay(day), counts, recipient: 'customer', contactId: 0, channel: 'email' },
  ]

  test('on the day of an occasion takes the place of the automatic one, to the customer alone', () => {
    const decisions = plan(aSubject({ history: manual('2026-12-24') }), on('2026-12-24'))
    expect(toCustomer(decisions)).toEqual(['reminder 7 manual'])
    expect(due(decisions)).toHaveLength(2)
  })

  test('after an occasion that was missed takes its place as well', () => {
    const history = manual('2026-12-26')
    expect(toCustomer(plan(aSubject({ history }), on('2026-12-27', '2026-12-24')))).toEqual(['reminder 7 manual'])
  })

  test('before an occasion, or one that failed, does not', () => {
    expect(toCustomer(plan(aSubject({ history: manual('2026-12-23') }), on('2026-12-24')))).toEqual(['reminder 7 due'])
    expect(toCustomer(plan(aSubject({ history: manual('2026-12-24', false) }), on('2026-12-24')))).toEqual([
      'reminder 7 due',
    ])
  })
})

test.each([
  ['manual', 'planned', '2026-12-24', 'manual'],
  ['manual', 'planned', '2026-12-25', 'due'],
  ['manual', 'sending', '2026-12-25', 'manual'],
  ['manual', 'sent', '2026-12-25', 'manual'],
  ['follow_up', 'planned', '2026-12-25', 'superseded'],
] as const)(
  'a %s message of the day of an occasion that is %s on %s: the occasion is %s',
  (kind, state, day, verdict) => {
    const line = { recipient: 'customer', contactId: 0, channel: 'email', counts: true } as const
    const history = [{ ...line, kind, state, offset: 1, day: toDay('2026-12-24') }]
    expect(toCustomer(plan(aSubject({ history }), on(day, '2026-12-24')))).toEqual([`reminder 7 ${verdict}`])
  },
)

describe('a message that waits to be sent', () => {
  const message = { kind: 'reminder', offset: 7, day: toDay('2026-12-24'), ...REACHABLE } as const
  const toHer = { ...message, recipient: 'customer', contactId: 0, channel: 'email' } as const

  test('is held back by what changed in the meantime', () => {
    const today = toDay('2026-12-26')
    expect(obstacle(aSubject(), toHer, today)).toBeUndefined()
    expect(obstacle(aSubject({ contract: { status: 'expired', renewalDate: RENEWAL } }), toHer, today)).toBe('closed')
    expect(obstacle(aSubject({ customer: { ...REACHABLE, email: null } }), toHer, today)).toBe('no_address')
    expect(obstacle(aSubject(), toHer, toDay('2027-01-01'))).toBe('too_late')
    const preferences = { ...DEFAULT_PREFERENCES, notificationMethods: { email: false, inApp: true } }
    const toOwner = { ...message, recipient: 'owner', contactId: 0, channel: 'email' } as const
    expect(obstacle(aSubject({ preferences }), toOwner, today)).toBe('off')
  })
})

describe('whatever the contract, the preferences and the days', () => {
  test.prop([anySubject, anyDays])('at most one message a line is due, and it is the latest', (subject, days) => {
    const decisions = plan(subject, days)
    const lines = due(decisions).map((text) => text.split(' ').slice(2).join(' '))
    expect(new Set(lines).size).toBe(lines.length)
    const latest = decisions.at(-1)?.day
    for (const one of decisions) if (one.verdict === 'due') expect(one.day).toBe(latest)
  })

  test.prop([anySubject, anyDays])('planning the same days again makes nothing due', (subject, days) => {
    const history = ledgerOf(plan(subject, days))
    expect(due(plan({ ...subject, history }, days))).toEqual([])
  })

  test.prop([anySubject, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 })])(
    'every occasion is decided once, however the days are divided among runs',
    (subject, gaps) => {
      const history: PastMessage[] = []
      const decided: string[] = []
      let from: Day = addDays(RENEWAL, -40)
      for (const gap of gaps) {
        const today = addDays(from, gap)
        const decisions = plan({ ...subject, history }, { from, through: today })
        decided.push(...decisions.filter(({ verdict }) => verdict !== 'decided').map(keyOf))
        history.push(...ledgerOf(decisions.filter(({ verdict }) => verdict !== 'decided')))
        from = today
      }
      const wanted = occasionsOf(RENEWAL, subject.preferences).filter(({ day }) => day <= from)
      expect(new Set(decided).size).toBe(decided.length)
      expect(new Set(decided.map((key) => key.split('/')[0]))).toEqual(
        new Set(wanted.map(({ kind, offset }) => `${kind} ${offset}`)),
      )
    },
  )

  test.prop([anySubject, fc.integer({ min: -45, max: 70 })])(
    'without an outage each reachable line is told on every occasion, on its day',
    (subject, end) => {
      const open = { ...subject, contract: { status: 'active', renewalDate: RENEWAL }, customer: REACHABLE } as const
      const today = addDays(RENEWAL, end)
      const occasions = occasionsOf(RENEWAL, subject.preferences).filter(({ day }) => day === today)
      const { email, inApp } = subject.preferences.notificationMethods
      const lines = 1 + Number(email) + Number(inApp)
      const wanted = subject.preferences.enableNotifications ? occasions.length * lines : 0
      expect(due(plan(open, { from: today, through: today }))).toHaveLength(wanted)
    },
  )
})

function keyOf({ kind, offset, recipient, channel }: Decision): string {
  return `${kind} ${offset}/${recipient} ${channel}`
}

test.each([
  ['due', ['recorded', 'upcoming']],
  ['no_address', ['recorded', 'upcoming']],
  ['opted_out', ['recorded', 'upcoming']],
  ['address_bounced', ['recorded', 'upcoming']],
  ['unsubscribed', ['recorded', 'upcoming']],
  ['complained', ['recorded', 'upcoming']],
  ['muted', ['recorded', 'upcoming']],
  ['too_late', ['recorded']],
  ['superseded', ['recorded']],
  ['manual', ['recorded']],
  ['closed', ['unwanted']],
  ['off', ['unwanted']],
  ['decided', []],
] as const)('a decision that says %s is %j', (verdict, classes) => {
  const decision: Decision = {
    verdict,
    kind: 'reminder',
    offset: 7,
    day: RENEWAL,
    recipient: 'customer',
    contactId: 0,
    channel: 'email',
  }
  const rules = { recorded: isRecorded, upcoming: isUpcoming, unwanted: isUnwanted }
  const found = Object.entries(rules).filter(([, rule]) => rule(decision))
  expect(found.map(([name]) => name)).toEqual(classes)
})
