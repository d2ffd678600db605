import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { randomFrom } from '#support/random.ts'
import { judgeConfirmations, judgeWithdrawn } from '#support/simulation/confirmations.ts'
import { bounce } from '#support/simulation/edits.ts'
import { expectedOf } from '#support/simulation/expectation.ts'
import { judgeEnd, judgeSending, noteGone, noteRows } from '#support/simulation/ledger-watch.ts'
import type { Row } from '#support/simulation/model.ts'
import { NOW, aSimulatedContract } from '#support/simulated-contract.ts'
import { judgeWarningMails } from '#support/simulation/notice-warnings.ts'
import { requireReader, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()

test('a message may be skipped for one of a later day that the ledger has, and not for none', async () => {
  const { model, row } = await aSimulatedContract(world)
  const later = row({ id: 2, offset: 1, day: '2027-03-16', state: 'sent', sentOn: '2027-03-16' })
  noteRows(model, [row(), later])
  noteRows(model, [row({ state: 'skipped', reason: 'superseded' })])
  expect(model.faults).toEqual([])
  noteRows(model, [row({ id: 3, kind: 'manual', day: '2027-03-16' })])
  noteRows(model, [row({ id: 2, state: 'skipped', reason: 'superseded', day: '2027-03-18' })])
  expect(model.faults).toEqual([expect.stringContaining('was skipped as superseded, which is not so')])
})

test('a follow-up is rightly superseded by a reminder that was put off until after it, though no later one was due', async () => {
  const { model, row } = await aSimulatedContract(world)
  const followUp = row({ id: 1, kind: 'follow_up', offset: 30, day: '2027-04-16' })
  const putOff = (changes: Partial<Row> = {}) => row({ id: 2, kind: 'follow_up', day: '2027-04-17', ...changes })
  model.now = Date.parse('2027-04-17T12:00:00Z')
  noteRows(model, [followUp, putOff()])
  noteRows(model, [{ ...followUp, state: 'skipped', reason: 'superseded' }])
  expect(model.faults).toEqual([])
  noteRows(model, [row({ id: 3, kind: 'follow_up', offset: 7, day: '2027-04-15', recipient: 'owner' })])
  noteRows(model, [putOff({ state: 'skipped', reason: 'superseded' })])
  expect(model.faults).toEqual([expect.stringContaining('was skipped as superseded, which is not so')])
})

test('of what a message by hand and another took the place of, the one by hand is named', async () => {
  const { model, contract, row } = await aSimulatedContract(world)
  noteRows(model, [
    row({ id: 1, kind: 'follow_up', day: '2027-03-24' }),
    row({ id: 2, kind: 'manual', state: 'sent', sentOn: '2027-03-10' }),
  ])
  const expected = expectedOf(model, contract.account, [contract])
  expect([...expected.values()].map(({ kind, offset, fate }) => [kind, offset, fate])).toEqual([
    ['reminder', 7, 'manual'],
  ])
})

test('the ledger is read again as soon as an email has bounced', async () => {
  const { model, contract, row } = await aSimulatedContract(world)
  model.now = new Date(`${TODAY}T12:00:00Z`).getTime()
  await using stack = new AsyncDisposableStack()
  const owner = new pg.Client(world.connection)
  await owner.connect()
  stack.defer(() => owner.end())
  const { rows } = await owner.query<{ id: number }>(
    `insert into reminders (account_id, customer_name, renewal_date, kind, offset_days, due_on, recipient, channel, state,
      address, planned_at, sent_at) values ($1, 'Simulated', '2027-03-17', 'notice', 7, $2, 'customer', 'email', 'sent',
      'customer@simulated.test', now(), now()) returning id::int`,
    [requireReader(contract.account.request).accountId, TODAY],
  )
  const [{ id } = { id: 0 }] = rows
  const messageId = `<reminder-${id}.x@traxx.test>`
  await owner.query('update reminders set message_id = $1 where id = $2', [messageId, id])
  noteRows(model, [row({ id, kind: 'notice', state: 'sent', sentOn: TODAY, messageId })])
  await bounce({ model, owner, random: randomFrom(1) }, contract)
  expect(model.rows.get(id)?.state).toBe('bounced')
})

const SKIPPED_FALSELY = expect.stringContaining('was skipped as manual, which is not so')
const BEFORE_OUTAGE = { day: '2027-03-09', plannedAt: NOW - 25 * 3_600_000 }

test.each<[string, Partial<Row>, unknown[]]>([
  ['sent on its day', { state: 'sent', sentOn: '2027-03-10' }, []],
  ['of the day before and sent on its day', { day: '2027-03-09', state: 'sent', sentOn: '2027-03-10' }, []],
  ['sent on the day before', { day: '2027-03-09', state: 'sent', sentOn: '2027-03-09' }, [SKIPPED_FALSELY]],
  ['of a later day, sent by a clock that was ahead', { day: '2027-03-13', state: 'sent', sentOn: '2027-03-13' }, []],
  ['of a later day and planned', { day: '2027-03-13', sendingAt: null }, [SKIPPED_FALSELY]],
  ['of a later day and tried', { day: '2027-03-13' }, []],
  ['of its day and planned', { sendingAt: null }, []],
  ['of a later day, and tried by a clock that was ahead', { day: '2027-03-13', sendingAt: NOW + 1 }, [SKIPPED_FALSELY]],
  ['of another contact', { contactId: 5 }, [SKIPPED_FALSELY]],
  ['of another term', { term: 2 }, [SKIPPED_FALSELY]],
  ['of another date', { renewalDate: '2028-03-17' }, [SKIPPED_FALSELY]],
  ['a follow-up in truth', { kind: 'follow_up', state: 'sent', sentOn: '2027-03-10' }, [SKIPPED_FALSELY]],
  ['undone', { state: 'skipped', reason: 'by_hand' }, [SKIPPED_FALSELY]],
  ['already skipped for a limit', { state: 'skipped', reason: 'limited' }, [SKIPPED_FALSELY]],
  ['already failed', { state: 'failed', reason: 'refused' }, [SKIPPED_FALSELY]],
  ['already failed after it was sent', { state: 'failed', reason: 'refused', sentOn: '2027-03-10' }, []],
])('a message that is skipped for one by hand that is %s is a fault or none', async (_what, changes, faults) => {
  const { model, row } = await aSimulatedContract(world)
  noteRows(model, [row(), row({ id: 2, kind: 'manual', ...changes })])
  noteRows(model, [row({ state: 'skipped', reason: 'manual' })])
  expect(model.faults).toEqual(faults)
})

test.each<[string, Partial<Row>, Partial<Row>, unknown[]]>([
  ['is skipped for a limit', {}, { state: 'skipped', reason: 'limited' }, []],
  ['fails', {}, { state: 'failed', reason: 'refused' }, []],
  ['fails in the end', { state: 'sending' }, { state: 'failed', reason: 'unknown' }, []],
  ['is still being sent', { ...BEFORE_OUTAGE, state: 'sending' }, {}, []],
  ['is undone', {}, { state: 'skipped', reason: 'by_hand' }, [SKIPPED_FALSELY]],
  ['is skipped as too late', BEFORE_OUTAGE, { state: 'skipped', reason: 'too_late' }, [SKIPPED_FALSELY]],
  ['is still planned, but too late', BEFORE_OUTAGE, {}, [SKIPPED_FALSELY]],
])('a message that is skipped for one by hand that at once %s is a fault or none', async (_what, was, is, faults) => {
  const { model, row } = await aSimulatedContract(world)
  model.mailCounts.limits.toAddress = 0
  const reminder = row({ day: was.day ?? '2027-03-10' })
  const byHand = row({ id: 2, kind: 'manual', ...was })
  noteRows(model, [reminder, byHand])
  noteRows(model, [
    { ...reminder, state: 'skipped', reason: 'manual' },
    { ...byHand, ...is },
  ])
  expect(model.faults).toEqual(faults)
})

test('a message by hand is not skipped for another, and none for what was undone before it was seen', async () => {
  const { model, row } = await aSimulatedContract(world)
  const byHand = row({ id: 2, kind: 'manual' })
  noteRows(model, [row(), byHand, row({ id: 3, kind: 'manual', state: 'sent', sentOn: '2027-03-10' })])
  noteRows(model, [{ ...byHand, state: 'skipped', reason: 'manual' }])
  expect(model.faults).toEqual([SKIPPED_FALSELY])
  const { model: other } = await aSimulatedContract(world)
  noteRows(other, [row()])
  noteRows(other, [row({ state: 'skipped', reason: 'manual' }), { ...byHand, state: 'skipped', reason: 'by_hand' }])
  expect(other.faults).toEqual([SKIPPED_FALSELY])
})

test.each([
  [0, []],
  [-5 * 86_400_000, [SKIPPED_FALSELY]],
])('one by hand of tomorrow is due where the time zone changed just now: %d', async (changed, faults) => {
  const { model, contract, row } = await aSimulatedContract(world)
  contract.account.zoneChangedAt = NOW + changed
  noteRows(model, [row(), row({ id: 2, kind: 'manual', day: '2027-03-11', sendingAt: null })])
  noteRows(model, [row({ state: 'skipped', reason: 'manual' })])
  expect(model.faults).toEqual(faults)
})

test.each<[string, Partial<Row>, unknown[]]>([
  ['planned after it', { plannedAt: NOW + 1 }, []],
  [
    'planned before it',
    { plannedAt: NOW - 1 },
    [expect.stringContaining('was skipped as superseded, which is not so')],
  ],
])('one by hand whose day is over is replaced by one of an earlier day that was %s', async (_what, other, faults) => {
  const { model, row } = await aSimulatedContract(world)
  model.now = Date.parse('2027-03-12T12:00:00Z')
  const byHand = row({ kind: 'manual', day: '2027-03-11' })
  noteRows(model, [byHand, row({ id: 2, ...other })])
  noteRows(model, [{ ...byHand, state: 'skipped', reason: 'superseded' }])
  expect(model.faults).toEqual(faults)
})

test('a message is planned after its day though one by hand of that day is planned, but not while that is being sent', async () => {
  const { model, contract, row } = await aSimulatedContract(world)
  Object.assign(contract, { renewalDate: '2027-03-16' })
  const fates = () => [...expectedOf(model, contract.account, [contract]).values()].map(({ fate }) => fate)
  const byHand = row({ kind: 'manual', day: '2027-03-09', renewalDate: '2027-03-16' })
  noteRows(model, [byHand])
  expect(fates()).toEqual(['due'])
  noteRows(model, [{ ...byHand, state: 'sending' }])
  expect(fates()).toEqual(['manual'])
  noteRows(model, [{ ...byHand, day: '2027-03-10' }])
  expect(fates()).toEqual(['manual'])
  noteRows(model, [{ ...byHand, day: '2027-03-08', state: 'sent', sentOn: '2027-03-09' }])
  expect(fates()).toEqual(['manual'])
  noteRows(model, [{ ...byHand, kind: 'follow_up', offset: 30 }])
  expect(fates()).toEqual(['superseded'])
})

test.each([
  [true, []],
  [false, [SKIPPED_FALSELY]],
])('one by hand replaces another where its owner is verified: %s', async (isVerified, faults) => {
  const { model, contract, row } = await aSimulatedContract(world)
  contract.account.isVerified = isVerified
  model.accounts.push({ ...contract.account, id: 2, isVerified: true })
  noteRows(model, [row(), row({ id: 2, kind: 'manual', sendingAt: null })])
  noteRows(model, [row({ state: 'skipped', reason: 'manual' })])
  expect(model.faults).toEqual(faults)
})

test.each([
  ['by_agreement', ['follow_up 1']],
  ['automatic', []],
] as const)(
  'of a contract overdue since yesterday that renews %s this is due before it is renewed: %j',
  async (renews, due) => {
    const { model, contract } = await aSimulatedContract(world)
    Object.assign(contract, { renews, renewalDate: '2027-03-09', held: null, status: 'active' })
    const expected = [...expectedOf(model, contract.account, [contract]).values()]
    expect([...new Set(expected.map(({ kind, offset }) => `${kind} ${offset}`))]).toEqual(due)
  },
)

test.each([
  ['sent', 0, 1],
  ['repeated, as it may have been sent,', 1, 0],
])('a message that is %s before its day in the time zone of now is a fault or none', async (_, repeats, faults) => {
  const { model, contract, row } = await aSimulatedContract(world)
  contract.account.zoneChangedAt = NOW - 3_600_000
  model.incidents.add(1)
  noteRows(model, [row({ id: 1, day: '2027-03-11', state: 'sent', sentOn: '2027-03-10', repeats })])
  model.receipts.push({ messageId: '<reminder-1.x@traxx.test>', to: 'customer@simulated.test', at: NOW, text: '' })
  judgeSending(model, 0, true)
  expect(model.faults).toHaveLength(faults)
})

test.each([
  ['sent', null, 1],
  ['failed', 'refused', 1],
  ['failed', 'unknown', 0],
])('a second message on a day is a fault after one that is %s, %s', async (state, reason, faults) => {
  const { model, row } = await aSimulatedContract(world)
  noteRows(model, [
    row({ id: 1, kind: 'manual', state, reason, sentOn: '2027-03-10' }),
    row({ id: 2, state: 'sent', sentOn: '2027-03-10' }),
  ])
  for (const id of [1, 2])
    model.receipts.push({
      messageId: `<reminder-${id}.x@traxx.test>`,
      to: 'customer@simulated.test',
      at: NOW,
      text: '',
    })
  judgeSending(model, 0, true)
  expect(model.faults).toHaveLength(faults)
  for (const fault of model.faults) expect(fault).toContain('the second on 2027-03-10')
})

test.each([
  ['another contact, who has become the first one since, is none', { id: 1, contactId: 0 }, 0],
  ['the same contact, who was another one before, is one', { id: 1, contactId: 5 }, 1],
  ['whoever was that contact before is none', { id: 1, contactId: 5, hasOtherReader: true }, 0],
])('a second message on a day after one to %s', async (_which, moved, faults) => {
  const { model, row } = await aSimulatedContract(world)
  const sent = { state: 'sent', sentOn: '2027-03-10' } as const
  const receive = (id: number, to: string) => {
    model.receipts.push({ messageId: `<reminder-${id}.x@traxx.test>`, to, at: NOW, text: '' })
    judgeSending(model, model.receipts.length - 1, true)
  }
  noteRows(model, [row({ id: 1, kind: 'manual', contactId: 5, ...sent })])
  receive(1, 'customer@simulated.test')
  noteRows(model, [row({ kind: 'manual', ...sent, ...moved }), row({ id: 2, contactId: 5, ...sent })])
  receive(2, 'customer@simulated.test')
  expect(model.faults.filter((fault) => fault.includes('the second on'))).toHaveLength(faults)
})

test('an email about two contracts is repeated under its Message-ID, also if one of them was withdrawn since', async () => {
  const { model, row } = await aSimulatedContract(world)
  const messageId = '<reminder-1.x@traxx.test>'
  noteRows(model, [row({ id: 2, state: 'sent', sentOn: '2027-03-10', messageId })])
  model.receipts.push({ messageId, to: 'customer@simulated.test', at: NOW, text: '' })
  judgeSending(model, 0, true)
  expect(model.faults).toEqual([])
})

test.each([
  ['that may have been sent when its email was repeated without it is no fault', 'failed', 'unknown', 0],
  ['that the ledger said was sent is one', 'sent', null, 1],
])('a message that bounced and never arrived, %s', async (_which, state, reason, faults) => {
  const { model, row } = await aSimulatedContract(world)
  const messageId = '<reminder-1.x@traxx.test>'
  noteRows(model, [
    row({ id: 1, kind: 'manual', state, reason, messageId, sendingAt: NOW - 1000 }),
    row({ id: 2, state: 'sent', sentOn: '2027-03-10', messageId }),
  ])
  model.receipts.push({ messageId, to: 'customer@simulated.test', at: NOW, text: '' })
  judgeSending(model, 0, true)
  noteRows(model, [row({ id: 1, kind: 'manual', state: 'bounced', messageId, sendingAt: NOW - 1000 })])
  judgeEnd(model)
  expect(model.faults).toHaveLength(faults)
  for (const fault of model.faults) expect(fault).toContain('the ledger says bounced, and nothing was sent')
})

test('what a clock ahead sent "tomorrow" was read today, and is not the second of tomorrow', async () => {
  const { model, row } = await aSimulatedContract(world)
  model.mailCounts.limits.toAddress = 3
  noteRows(model, [
    row({ id: 1, offset: 14, day: '2027-03-03', state: 'sent', sentOn: '2027-03-10' }),
    row({ id: 2, state: 'sent', sentOn: '2027-03-10' }),
  ])
  const receive = (id: number) => {
    model.receipts.push({
      messageId: `<reminder-${id}.x@traxx.test>`,
      to: 'customer@simulated.test',
      at: NOW,
      text: '',
    })
    judgeSending(model, model.receipts.length - 1, true)
  }
  model.clockError = 24 * 3_600_000
  receive(1)
  model.clockError = 0
  receive(2)
  expect(model.faults).toEqual([])
  model.clockError = 60_000
  receive(1)
  expect(model.faults).toEqual([expect.stringContaining('the second on 2027-03-10')])
})

test.each([
  { skipped: 5, answers: 0, faults: 0 },
  { skipped: 0, answers: 5, faults: 0 },
  { skipped: 0, answers: 0, faults: 1 },
])(
  'two emails to an owner with 95 and 5 messages are right where $skipped more were skipped, or $answers tell of answers, or a fault',
  async (of) => {
    const { model, contract, row } = await aSimulatedContract(world)
    contract.account.email = true
    const ids = Array.from({ length: 100 + of.skipped + of.answers }, (_, index) => index + 1)
    for (const id of ids) model.contracts.set(id, { ...contract, id })
    const answers = ids.slice(ids.length - of.answers)
    const toOwner = (id: number, changes: Partial<Row>) => {
      const kind = answers.includes(id) ? 'answer' : 'reminder'
      return row({ id, contractId: id, recipient: 'owner', kind, ...changes })
    }
    noteRows(
      model,
      ids.map((id) => toOwner(id, {})),
    )
    noteRows(
      model,
      ids.map((id) => {
        const first = id <= 95 ? 1 : 96
        const messageId = `<reminder-${id <= 100 ? first : id}.x@traxx.test>`
        return id <= 100 || answers.includes(id)
          ? toOwner(id, { state: 'sent', sentOn: '2027-03-10', messageId })
          : toOwner(id, { state: 'skipped', reason: 'noticed' })
      }),
    )
    model.faults = []
    for (const id of [1, 96, ...answers])
      model.receipts.push({
        messageId: `<reminder-${id}.x@traxx.test>`,
        to: 'owner@simulated.test',
        at: NOW,
        text: '$10.00 ',
      })
    judgeSending(model, 0, true)
    const faults = model.faults.filter((fault) => fault.includes('2 emails at once'))
    expect(faults).toHaveLength(of.faults)
  },
)

test('a second email about closing windows is a fault on a day, and none where a clock was 20 days ahead at the first', async () => {
  const { model } = await aSimulatedContract(world)
  const receive = (key: number) => {
    const messageId = `<notice-warnings-1-${key}@traxx.test>`
    model.receipts.push({ messageId, to: 'owner@simulated.test', at: NOW, text: '' })
    judgeWarningMails(model, model.receipts.length - 1)
  }
  model.clockError = 20 * 24 * 3_600_000
  receive(1)
  model.clockError = 0
  receive(2)
  receive(2)
  expect(model.faults).toEqual([])
  receive(3)
  expect(model.faults).toEqual([expect.stringContaining('the second of 2027-03-10')])
})

test.each([
  { hours: 25, faults: 0 },
  { hours: 23, faults: 1 },
])('a message by hand that was not sent for $hours hours is too late or not', async ({ hours, faults }) => {
  const { model, row } = await aSimulatedContract(world)
  const byHand = { kind: 'manual', day: '2027-03-09', plannedAt: NOW - hours * 3_600_000 }
  noteRows(model, [row(byHand)])
  noteRows(model, [row({ ...byHand, state: 'skipped', reason: 'too_late' })])
  expect(model.faults).toHaveLength(faults)
})

test.each([
  { hasAccess: false, messageId: '<reminder-2.x@traxx.test>', faults: 0 },
  { hasAccess: true, messageId: '<reminder-2.x@traxx.test>', faults: 1 },
  { hasAccess: false, messageId: '<reminder-3.x@traxx.test>', faults: 1 },
])('a second message by hand of an account is over the limit where it does not pay: %o', async (given) => {
  const { model, contract, row } = await aSimulatedContract(world)
  noteRows(model, [row({ id: 2, state: 'sent' }), row({ id: 3, state: 'sent', accountId: 2 })])
  contract.account.hasAccess = given.hasAccess
  model.mailCounts.tries.push({ to: 'another@simulated.test', at: NOW, messageId: given.messageId })
  const byHand = { kind: 'manual', day: '2027-03-10', plannedAt: NOW - 3_600_000 }
  noteRows(model, [row(byHand)])
  noteRows(model, [row({ ...byHand, state: 'skipped', reason: 'limited' })])
  expect(model.faults).toHaveLength(given.faults)
})

describe('a renewal', () => {
  /** The contract in its second term, which it has just got, and a row that confirms it. */
  async function aRenewal(isConfirmed: boolean) {
    const { model, contract, row } = await aSimulatedContract(world)
    contract.term = 2
    model.renewals.push({ contract, isConfirmed, from: '2027-02-17' })
    const confirmation = (changes: Partial<Row> = {}) => row({ kind: 'confirmation', offset: 0, term: 2, ...changes })
    return { model, contract, confirmation }
  }

  test('that is to be confirmed has one confirmation, or says why not', async () => {
    const { model, confirmation } = await aRenewal(true)
    noteRows(model, [confirmation()])
    judgeConfirmations(model)
    expect(model.faults).toEqual([])
    const unreachable = await aRenewal(true)
    unreachable.contract.customer.isOptedIn = false
    noteRows(unreachable.model, [unreachable.confirmation({ state: 'skipped', reason: 'opted_out' })])
    judgeConfirmations(unreachable.model)
    expect(unreachable.model.faults).toEqual([])
  })

  test.each([
    ['has no confirmation', []],
    ['2 confirmations of one term', [{ id: 1 }, { id: 2, renewalDate: '2027-03-18' }]],
    ['should be planned', [{ state: 'skipped', reason: 'no_address' }]],
    ['should be planned', [{ plannedAt: NOW - 60_000 }]],
  ])('that is to be confirmed is a fault: %s', async (fault, rows) => {
    const { model, confirmation } = await aRenewal(true)
    noteRows(model, rows.map(confirmation))
    judgeConfirmations(model)
    expect(model.faults).toEqual([expect.stringContaining(fault)])
  })

  test('that is not to be confirmed has none', async () => {
    const { model, confirmation } = await aRenewal(false)
    noteRows(model, [confirmation()])
    judgeConfirmations(model)
    expect(model.faults).toEqual([expect.stringContaining('nobody asked for a confirmation')])
  })

  test('that was undone leaves none planned', async () => {
    const { model, contract, confirmation } = await aRenewal(true)
    noteRows(model, [confirmation(), confirmation({ id: 2, contractId: 1, state: 'sent', term: 3 })])
    contract.term = 1
    judgeWithdrawn(model, contract)
    expect(model.faults).toEqual([expect.stringContaining('confirms what was undone')])
  })

  test('is no news after a week, and its confirmation is superseded by nothing', async () => {
    const { model, contract, confirmation } = await aRenewal(true)
    const skipped = async (reason: string, day: string) => {
      model.faults = []
      noteRows(model, [confirmation({ day })])
      noteRows(model, [confirmation({ day, state: 'skipped', reason })])
      model.rows.clear()
      return model.faults.length
    }
    expect(contract.term).toBe(2)
    expect(await skipped('too_late', '2027-03-02')).toBe(0)
    expect(await skipped('too_late', '2027-03-03')).toBe(1)
    expect(await skipped('superseded', '2027-03-02')).toBe(1)
    expect(await skipped('undone', '2027-03-02')).toBe(1)
  })
})

test.each([
  ['of a term that was undone', 1, 0],
  ['of the term that was before', 2, 1],
  ['of a contract of which nothing was undone', undefined, 1],
])('a planned message is rightly gone from the ledger %s, or not', async (_of, undoneTo, faults) => {
  const { model, contract, row } = await aSimulatedContract(world)
  noteRows(model, [row({ term: 2 })])
  if (undoneTo !== undefined) model.undone.set(contract.id, undoneTo)
  // A customer has answered the same again.
  contract.term = 2
  noteGone(model, 1)
  expect(model.faults).toHaveLength(faults)
})

test('on the day of a confirmation no reminder is expected to be sent besides', async () => {
  const { model, contract, row } = await aSimulatedContract(world)
  noteRows(model, [row({ kind: 'confirmation', offset: 0, state: 'sent', sentOn: '2027-03-10' })])
  const expected = expectedOf(model, contract.account, [contract])
  expect([...expected.values()].map(({ offset, fate }) => [offset, fate])).toEqual([[7, 'confirmed']])
})
