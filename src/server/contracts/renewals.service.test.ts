import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toDay } from '#shared/domain/day.ts'
import { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import { EndContract, RenewContract, SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import { requireReader, type RequestContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { snoozeReminder } from '#server/reminders/outbox-actions.service.ts'
import { planAccounts } from '#server/reminders/plan-reminders.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { createContract, getContract, removeContract, updateContract } from './contracts.service.ts'
import { saveRenewalSettings } from './renewal-settings.service.ts'
import { endContract, renewContract, reopenContract, undoDecision } from './renewals.service.ts'
import { listTerms } from './terms.service.ts'

const world = useWorld()

/** What can be done about one contract of a new account, today being March 10. */
async function aContractOf(changes: Parameters<typeof aContract>[1] = {}) {
  const clock = { now: new Date('2026-03-10T12:00:00Z') }
  const services = { mailer: aMailbox().mailer, now: () => clock.now, billingNow: () => clock.now }
  const request = await anAccount(world, { services })
  const customer = await aCustomer(request, { name: 'Harbor', email: 'orders@harbor.test' })
  const { id } = await aContract(request, { customerId: customer.id, startDate: '2026-01-01', ...changes })
  return { ...actsOn(request, id), request, id, clock }
}

function actsOn(request: RequestContext, id: number) {
  const acting = asSubscriber
  return {
    renew: (given: object = {}) => acting(request, (ctx) => renewContract(ctx, RenewContract.parse({ id, ...given }))),
    end: (given: object = {}) =>
      acting(request, (ctx) => endContract(ctx, EndContract.parse({ id, reason: 'Price', ...given }))),
    reopen: () => acting(request, (ctx) => reopenContract(ctx, { id })),
    undo: () => acting(request, (ctx) => undoDecision(ctx, { id })),
    edit: (given: object) => acting(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, ...given }))),
    get: () => getContract(requireReader(request), { id }),
    terms: () => listTerms(requireReader(request), { id }),
  }
}

describe('renewing', () => {
  test('closes the running term, opens the next, and keeps both', async () => {
    const { renew, terms } = await aContractOf({ amount: 100, renewalDate: '2026-04-01' })
    const { decision, ...renewed } = await renew({ amount: 120 })
    expect(renewed).toMatchObject({
      amount: 120,
      term: 2,
      termStart: '2026-04-01',
      renewalDate: '2026-05-01',
      status: 'active',
      version: 2,
    })
    expect(await terms()).toEqual([
      {
        number: 2,
        startDate: '2026-04-01',
        renewalDate: '2026-05-01',
        amount: 120,
        renewalCycle: 'monthly',
        outcome: 'running',
        decidedAt: null,
        decidedBy: null,
        reason: null,
        note: null,
        undoes: 'renew',
        decision,
        isHeld: false,
      },
      {
        number: 1,
        startDate: '2026-03-01',
        renewalDate: '2026-04-01',
        amount: 100,
        renewalCycle: 'monthly',
        outcome: 'renewed',
        decidedAt: new Date('2026-03-10T12:00:00Z'),
        decidedBy: 'person',
        reason: null,
        note: null,
        undoes: null,
        decision: null,
        isHeld: false,
      },
    ])
  })

  test('applies what was scheduled for the next term', async () => {
    const { edit, renew } = await aContractOf({ renewalDate: '2026-04-01' })
    expect(await edit({ nextAmount: 150, nextCycle: 'yearly' })).toMatchObject({ nextAmount: 150, nextCycle: 'yearly' })
    const changed = {
      amount: 150,
      renewalCycle: 'yearly',
      renewalDate: '2027-04-01',
      nextAmount: null,
      nextCycle: null,
    }
    expect(await renew()).toMatchObject(changed)
  })

  test('twice at once renews once, and tells the other', async () => {
    const { renew, terms } = await aContractOf({ renewalDate: '2026-04-01' })
    const outcomes = await Promise.allSettled([renew({ term: 1 }), renew({ term: 1 })])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { key: 'TERM_CHANGED' } })
    expect(await terms()).toHaveLength(2)
  })

  test('a second time needs the number of the term, which has not begun', async () => {
    const { renew } = await aContractOf({ renewalDate: '2026-04-01' })
    await renew()
    await expect(renew()).rejects.toMatchObject({ key: 'TERM_NOT_BEGUN', details: { term: 2 } })
    expect(await renew({ term: 2 })).toMatchObject({ term: 3, renewalDate: '2026-06-01' })
  })

  test('late, from today, leaves a gap between the terms', async () => {
    const { renew, terms } = await aContractOf({ renewalDate: '2026-03-01' })
    expect(await renew({ from: 'today' })).toMatchObject({ termStart: '2026-03-10', renewalDate: '2026-04-10' })
    expect(await renew({ term: 2 })).toMatchObject({ renewalDate: '2026-05-10' })
    expect((await terms()).map(({ startDate, renewalDate }) => [startDate, renewalDate])).toEqual([
      ['2026-04-10', '2026-05-10'],
      ['2026-03-10', '2026-04-10'],
      ['2026-02-01', '2026-03-01'],
    ])
  })

  test.each([
    [{}, { renewalDate: '2026-04-01' }, 'TERM_TOO_SHORT'],
    [{}, { from: 'today' }, 'TERM_NOT_OVER'],
    [{ status: 'cancelled' }, {}, 'CONTRACT_CLOSED'],
    [{ status: 'expired' }, {}, 'CONTRACT_CLOSED'],
    [{}, { term: 7 }, 'TERM_CHANGED'],
    [{ renewalDate: '2999-04-01' }, {}, 'TERM_TOO_LATE'],
  ] as const)('a contract %j with %j is refused as %s', async (changes, given, key) => {
    const { renew, get } = await aContractOf({ renewalDate: '2026-04-01', ...changes })
    const before = await get()
    await expect(renew({ term: 1, ...given })).rejects.toMatchObject({ key })
    expect(await get()).toEqual(before)
  })
})

describe('ending', () => {
  test('today closes the contract, with a reason of the account and words', async () => {
    const { end, terms } = await aContractOf({ renewalDate: '2026-04-01' })
    const ended = { status: 'cancelled', endsOn: '2026-03-10' }
    expect(await end({ reason: 'price', note: 'Too expensive for them' })).toMatchObject(ended)
    expect(await terms()).toMatchObject([
      { number: 1, outcome: 'ended', reason: 'Price', note: 'Too expensive for them', decidedBy: 'person' },
    ])
    await expect(end()).rejects.toMatchObject({ key: 'CONTRACT_CLOSED' })
  })

  test('on a later day leaves it open until then, and renewing is refused meanwhile', async () => {
    const { end, renew, terms } = await aContractOf({ renewalDate: '2026-04-01' })
    expect(await end({ on: '2026-04-01' })).toMatchObject({ status: 'active', endsOn: '2026-04-01' })
    expect(await terms()).toMatchObject([{ outcome: 'running', reason: 'Price' }])
    await expect(renew()).rejects.toMatchObject({ key: 'CONTRACT_ENDING' })
    expect(await end({ on: '2026-03-20', reason: 'Service' })).toMatchObject({ endsOn: '2026-03-20' })
  })

  test.each(['2026-03-09', '2026-04-02'])('on %s is refused', async (on) => {
    const { end } = await aContractOf({ renewalDate: '2026-04-01' })
    await expect(end({ on })).rejects.toMatchObject({ key: 'END_DAY_INVALID' })
  })

  test('takes the reasons of the account, whose list can be changed', async () => {
    const { end, request } = await aContractOf({ renewalDate: '2026-04-01' })
    await expect(end({ reason: 'Moved away' })).rejects.toMatchObject({ key: 'END_REASON_UNKNOWN' })
    const settings = SaveRenewalSettings.parse({ endOverdueAfterDays: null, endReasons: ['Moved away'] })
    await asSubscriber(request, (ctx) => saveRenewalSettings(ctx, settings))
    await expect(end({ reason: 'Price' })).rejects.toMatchObject({ details: { reasons: ['Moved away'] } })
    expect(await end({ reason: 'moved away' })).toMatchObject({ status: 'cancelled' })
  })
})

describe('reopening', () => {
  test('gives a contract the status that it had', async () => {
    const { end, reopen, terms } = await aContractOf({ status: 'pending', renewalDate: '2026-04-01' })
    await end()
    expect(await reopen()).toMatchObject({ status: 'pending', endsOn: null })
    expect(await terms()).toMatchObject([{ outcome: 'running', reason: null, decidedAt: null }])
    await expect(reopen()).rejects.toMatchObject({ key: 'CONTRACT_OPEN' })
  })

  test('keeps a contract that is set to end from ending', async () => {
    const { end, reopen } = await aContractOf({ renewalDate: '2026-04-01' })
    await end({ on: '2026-04-01' })
    expect(await reopen()).toMatchObject({ status: 'active', endsOn: null })
  })

  test('holds a contract whose date has come: nothing happens by itself until it has another', async () => {
    const { end, reopen, edit, terms } = await aContractOf({ renewalDate: '2026-03-01', renews: 'automatic' })
    expect(await terms()).toMatchObject([{ isHeld: false }])
    await end()
    await reopen()
    expect(await terms()).toMatchObject([{ isHeld: true }])
    await edit({ renewalDate: '2026-04-01' })
    expect(await terms()).toMatchObject([{ isHeld: false }])
  })

  test('makes a contract active whose end TRAXX knows nothing of', async () => {
    const { reopen } = await aContractOf({ status: 'expired', renewalDate: '2026-04-01' })
    expect(await reopen()).toMatchObject({ status: 'active' })
  })
})

describe('a changed status', () => {
  test('means that the contract ends, expires, or is open again, and can be undone', async () => {
    const { edit, undo, terms, get } = await aContractOf({ renewalDate: '2026-04-01' })
    expect(await edit({ status: 'cancelled' })).toMatchObject({ status: 'cancelled', endsOn: '2026-03-10' })
    expect(await terms()).toMatchObject([{ outcome: 'ended', reason: null, decidedBy: 'person' }])
    expect(await edit({ status: 'active' })).toMatchObject({ status: 'active', endsOn: null })
    expect(await edit({ status: 'expired', title: 'Hosting' })).toMatchObject({ status: 'expired', title: 'Hosting' })
    expect(await undo()).toMatchObject({ status: 'active', title: 'Hosting' })
    expect(await undo()).toMatchObject({ status: 'cancelled', endsOn: '2026-03-10' })
    await undo()
    await expect(undo()).rejects.toMatchObject({ key: 'NOTHING_TO_UNDO' })
    expect(await get()).toMatchObject({ status: 'active', endsOn: null })
  })
})

describe('undo', () => {
  const TERMS = { renewalDate: '2026-04-01', amount: 100 }

  test.each([
    ['a renewal', async ({ renew }: Acts) => renew({ amount: 130, renewalCycle: 'yearly' })],
    ['an end', async ({ end }: Acts) => end()],
    ['an end on a later day', async ({ end }: Acts) => end({ on: '2026-03-20' })],
    ['an expiry', async ({ edit }: Acts) => edit({ status: 'expired' })],
  ])('of %s is its exact inverse', async (_what, act) => {
    const acts = await aContractOf(TERMS)
    await acts.edit({ nextAmount: 140 })
    const before = { contract: { ...(await acts.get()), version: 0 }, terms: await acts.terms() }
    await act(acts)
    await acts.undo()
    expect({ contract: { ...(await acts.get()), version: 0 }, terms: await acts.terms() }).toEqual(before)
  })

  test('goes back one decision at a time', async () => {
    const { renew, undo } = await aContractOf(TERMS)
    await renew({ amount: 110 })
    await renew({ term: 2, amount: 120 })
    expect(await undo()).toMatchObject({ term: 2, amount: 110 })
    expect(await undo()).toMatchObject({ term: 1, amount: 100, renewalDate: '2026-04-01' })
    await expect(undo()).rejects.toMatchObject({ key: 'NOTHING_TO_UNDO' })
  })

  test.each([
    [{ amount: 90 }, 'Amount'],
    [{ renewalDate: '2026-06-15' }, 'Renewal Date'],
    [{ renewalCycle: 'quarterly', status: 'pending' }, 'Renewal Cycle, Status'],
    [{ startDate: '2025-12-15' }, 'Start Date'],
  ])('is refused once %j was changed', async (changes, fields) => {
    const { renew, edit, undo, get } = await aContractOf(TERMS)
    await renew()
    await edit(changes)
    const before = await get()
    await expect(undo()).rejects.toMatchObject({ key: 'UNDO_OVERTAKEN', values: { fields } })
    expect(await get()).toEqual(before)
  })

  test('of an end is refused if the contract was changed before the end was carried out', async () => {
    const { end, edit, undo, get, clock, request } = await aContractOf(TERMS)
    await end({ on: '2026-03-20' })
    await edit({ amount: 120 })
    clock.now = new Date('2026-03-20T12:00:00Z')
    await renewContracts({ ...request, signal: new AbortController().signal })
    expect(await get()).toMatchObject({ status: 'cancelled', amount: 120 })
    await expect(undo()).rejects.toMatchObject({ key: 'UNDO_OVERTAKEN', values: { fields: 'Amount' } })
  })

  test('keeps what was changed since and does not stand in the way', async () => {
    const { renew, edit, undo } = await aContractOf(TERMS)
    await edit({ nextAmount: 140 })
    await renew()
    await edit({ title: 'Cleaning', nextAmount: 160 })
    expect(await undo()).toMatchObject({ title: 'Cleaning', amount: 100, nextAmount: 160, term: 1 })
  })

  test('is announced by the current term: what it would take back, if anything', async () => {
    const { renew, end, reopen, undo, edit, terms } = await aContractOf(TERMS)
    const undoes = async () => {
      const listed = await terms()
      for (const term of listed) expect(term.decision === null).toBe(term.undoes === null)
      return listed.map((term) => term.undoes)
    }
    expect(await undoes()).toEqual([null])
    await renew()
    await end()
    expect(await undoes()).toEqual(['end', null])
    await reopen()
    expect(await undoes()).toEqual(['reopen', null])
    await edit({ amount: 90 })
    expect(await undoes()).toEqual([null, null])
    await edit({ amount: 100 })
    await undo()
    expect(await undoes()).toEqual(['end', null])
    await edit({ status: 'active' })
    await edit({ status: 'expired' })
    expect(await undoes()).toEqual(['expire', null])
  })

  test('leaves nothing that drifts from the sums', async () => {
    const { renew, end, undo } = await aContractOf(TERMS)
    await renew({ amount: 130 })
    await end()
    await undo()
    expect(await drift()).toEqual([])
  })
})

describe('the ledger', () => {
  const near = { renewalDate: '2026-03-24', startDate: '2025-03-24', renewalCycle: 'yearly' } as const

  /** A contract that renews in 14 days, of which its customer and owner are to be reminded today. */
  async function aRemindedContract() {
    const acts = await aContractOf(near)
    const accountId = acts.request.caller?.id ?? 0
    const run = (text: string) => world.db.writeAs(accountId, (em) => em.execute(text))
    await run(`update contracts set reminders_since = '2026-01-01'`)
    await run(`update reminder_schedules set planned_through = '2026-03-01', next_plan_at = '2026-03-01'`)
    await planAccounts(acts.request, [accountId])
    const emails = async () =>
      (await ledgerOf(acts.request))
        .filter(({ channel }) => channel === 'email')
        .map(({ recipient, state, reason }) => [recipient, state, reason].filter(Boolean).join(' '))
    return { ...acts, emails, run, plan: () => planAccounts(acts.request, [accountId]) }
  }

  const PLANNED = ['customer planned', 'owner planned']

  test('skips what a renewal has overtaken, and undo plans exactly that again', async () => {
    const { renew, undo, emails } = await aRemindedContract()
    expect(await emails()).toEqual(PLANNED)
    await renew()
    expect(await emails()).toEqual(['customer skipped renewed', 'owner skipped renewed'])
    await undo()
    expect(await emails()).toEqual(PLANNED)
  })

  test('skips what is about a closed contract', async () => {
    const { end, undo, emails } = await aRemindedContract()
    await end()
    expect(await emails()).toEqual(['customer skipped closed', 'owner skipped closed'])
    await undo()
    expect(await emails()).toEqual(PLANNED)
  })

  test('skips what goes to the customer while a contract is set to end', async () => {
    const { end, reopen, emails } = await aRemindedContract()
    await end({ on: '2026-03-24' })
    expect(await emails()).toEqual(['customer skipped ending', 'owner planned'])
    await reopen()
    expect(await emails()).toEqual(['customer skipped ending', 'owner planned'])
  })

  test('has all messages again if an end is undone that was carried out since', async () => {
    const { end, undo, emails, request, clock } = await aRemindedContract()
    await end({ on: '2026-03-11' })
    clock.now = new Date('2026-03-11T12:00:00Z')
    await renewContracts({ ...request, signal: new AbortController().signal })
    expect(await emails()).toEqual(['customer skipped ending', 'owner skipped closed'])
    await undo()
    expect(await emails()).toEqual(PLANNED)
  })

  test('leaves a message put off until the day that its owner chose', async () => {
    const { renew, undo, request, id } = await aRemindedContract()
    const line = { recipient: 'customer', contactId: 0, channel: 'email' } as const
    const key = { contractId: id, kind: 'reminder', offset: 14, ...line } as const
    const snoozed = { ...key, renewalDate: toDay('2026-03-24'), until: toDay('2026-03-12') }
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, snoozed))
    const putOff = async () => (await ledgerOf(request)).find(({ recipient }) => recipient === 'customer')
    const before = await putOff()
    await renew()
    await undo()
    expect(await putOff()).toEqual(before)
  })

  test("has the owner's messages again if a contract is set to end later, as before", async () => {
    const { end, undo, emails, clock } = await aRemindedContract()
    await end({ on: '2026-03-24' })
    clock.now = new Date('2026-03-10T12:01:00Z')
    await end()
    expect(await emails()).toEqual(['customer skipped ending', 'owner skipped closed'])
    await undo()
    expect(await emails()).toEqual(['customer skipped ending', 'owner planned'])
    await undo()
    expect(await emails()).toEqual(PLANNED)
  })

  test('leaves messages to their decision, made by a clock ahead, where the contract is deleted and restored', async () => {
    const { end, undo, emails, clock, request, id } = await aRemindedContract()
    clock.now = new Date('2026-03-23T12:00:00Z')
    await end()
    clock.now = new Date('2026-03-11T12:00:00Z')
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
    expect(await emails()).toEqual(['customer skipped closed', 'owner skipped closed'])
    await undo()
    expect(await emails()).toEqual(PLANNED)
  })

  test('has all messages again if an end that a clock ahead recorded is undone after a reopening', async () => {
    const { end, reopen, undo, emails, clock, run } = await aRemindedContract()
    clock.now = new Date('2026-03-23T12:00:00Z')
    await end()
    clock.now = new Date('2026-03-11T12:00:00Z')
    await reopen()
    await run(`update reminders set state = 'planned', reason = null, ended_at = null, next_attempt_at = due_on`)
    await undo()
    expect(await emails()).toEqual(['customer skipped closed', 'owner skipped closed'])
    await undo()
    expect(await emails()).toEqual(PLANNED)
  })

  test('is refused in the last term that a contract can have', async () => {
    const { renew, run } = await aRemindedContract()
    await run(`update contracts set term_number = 1200, term_start = '2026-03-01'`)
    await expect(renew()).rejects.toMatchObject({ key: 'TERMS_FULL' })
  })

  test('has the messages of a term again that was renewed, undone, and renewed anew', async () => {
    const { renew, undo, emails, plan, clock, run } = await aRemindedContract()
    await renew({ renewalDate: '2026-04-07' })
    clock.now = new Date('2026-03-24T12:00:00Z')
    await plan()
    expect(await emails()).toContain('customer planned')
    await undo()
    await renew({ renewalDate: '2026-04-07' })
    await run(`update contracts set reminders_since = '2026-01-01'`)
    await run(`update reminder_schedules set planned_through = '2026-03-23'`)
    await plan()
    expect((await emails()).filter((one) => one === 'customer planned')).toHaveLength(1)
  })
})

test('the newest 50 decisions can be undone, one after another', async () => {
  const { renew, undo, get } = await aContractOf({ renewalDate: '2026-04-01' })
  for (let term = 1; term <= 52; term += 1) await renew({ term })
  for (let left = 0; left < 50; left += 1) await undo()
  await expect(undo()).rejects.toMatchObject({ key: 'NOTHING_TO_UNDO' })
  expect(await get()).toMatchObject({ term: 3 })
})

describe('editing', () => {
  test('changes the current term and is no renewal', async () => {
    const { edit, terms } = await aContractOf({ renewalDate: '2026-04-01' })
    await edit({ amount: 70, renewalDate: '2026-06-01', renewalCycle: 'quarterly' })
    expect(await terms()).toMatchObject([{ number: 1, amount: 70, startDate: '2026-03-01', renewalDate: '2026-06-01' }])
  })

  test('of the start date touches the first term alone', async () => {
    const { renew, edit, terms } = await aContractOf({ startDate: '2025-01-01', renewalDate: '2026-04-01' })
    await renew()
    await edit({ startDate: '2026-03-15' })
    expect((await terms()).map(({ startDate }) => startDate)).toEqual(['2026-04-01', '2026-03-15'])
    await expect(edit({ startDate: '2026-04-01' })).rejects.toMatchObject({ key: 'START_AFTER_TERM' })
  })

  test('of the renewal date leaves a term at least one day', async () => {
    const { renew, edit } = await aContractOf({ renewalDate: '2026-04-01' })
    await renew()
    await expect(edit({ renewalDate: '2026-04-01' })).rejects.toMatchObject({ key: 'TERM_TOO_SHORT' })
    expect(await edit({ renewalDate: '2026-04-02' })).toMatchObject({ renewalDate: '2026-04-02' })
  })

  test('of what a contract is for, its reference, notice period, and how it renews', async () => {
    const { edit, get } = await aContractOf({ renewalDate: '2026-03-31' })
    const fields = { title: 'Office cleaning', reference: 'K-17', renews: 'automatic', noticePeriod: '30 days' }
    expect(await edit({ ...fields, noticePeriod: '30d' })).toMatchObject({ ...fields, noticeDate: '2026-03-01' })
    expect(await edit({ noticePeriod: '', title: '' })).toMatchObject({
      noticePeriod: null,
      noticeDate: null,
      title: null,
    })
    expect(await get()).toMatchObject({ reference: 'K-17' })
  })
})

test('a new contract renews by agreement, without notice period, title, or reference', async () => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request)
  const input = CreateContract.parse({
    customerId,
    amount: 5,
    startDate: '2026-01-01',
    renewalCycle: 'monthly',
    renewalDate: '2026-04-01',
    status: 'active',
  })
  expect(await asSubscriber(request, (ctx) => createContract(ctx, input))).toMatchObject({
    renews: 'by_agreement',
    noticePeriod: null,
    title: null,
    reference: null,
    term: 1,
    version: 1,
  })
})

test("somebody else's contract is not found, whatever is to be done about it", async () => {
  const { id } = await aContractOf({ renewalDate: '2026-04-01' })
  const { renew, end, reopen, undo, terms } = actsOn(await anAccount(world), id)
  for (const act of [renew, end, reopen, undo, terms])
    await expect(act()).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
})

type Acts = ReturnType<typeof actsOn>

function drift() {
  const statement = sql`select kept_table as "table" from totals_drift()`
  return readRows(world.db.system, statement, z.object({ table: z.string() }))
}
