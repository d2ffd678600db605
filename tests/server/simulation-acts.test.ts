import { describe, expect, test } from 'vitest'
import { NOW, aSimulatedContract } from '#support/simulated-contract.ts'
import { judgeConfirmations } from '#support/simulation/confirmations.ts'
import { expectedOf } from '#support/simulation/expectation.ts'
import { importedBy, noteImport, type ImportRow } from '#support/simulation/import-rules.ts'
import { judgeSending, noteRows } from '#support/simulation/ledger-watch.ts'
import type { ModelContract, Row } from '#support/simulation/model.ts'
import { judgeLimited, judgeReminded, remindingOf } from '#support/simulation/reminding.ts'
import { retagged } from '#support/simulation/tags.ts'
import { useWorld } from '#support/world.ts'

const world = useWorld()
const TODAY = '2027-03-10'
const MAIL = { messageId: '<reminder-1.x@traxx.test>', to: 'customer@simulated.test', at: NOW, text: '' }
const MUTED = { muted: '2027-03-17' }

async function aContract(changes: Partial<ModelContract> = {}) {
  const simulated = await aSimulatedContract(world)
  Object.assign(simulated.contract, changes)
  return simulated
}

describe('a renewal date about which emails are turned off', () => {
  test('is expected to bring none', async () => {
    const { model, contract } = await aContract(MUTED)
    expect([...expectedOf(model, contract.account, [contract]).values()].map(({ fate }) => fate)).toEqual(['muted'])
  })

  test.each([
    ['reminder', 1],
    ['manual', 0],
  ])('makes a %s that was sent a fault or not', async (kind, faults) => {
    const { model, row } = await aContract(MUTED)
    noteRows(model, [row({ kind, state: 'sent', sentOn: TODAY })])
    model.receipts.push(MAIL)
    judgeSending(model, 0, true)
    expect(model.faults).toHaveLength(faults)
  })

  test.each([
    [MUTED, 0],
    [{ muted: '2027-04-17' }, 1],
  ])('is why a message is skipped where it is %j', async (changes, faults) => {
    const { model, row } = await aContract(changes)
    noteRows(model, [row()])
    noteRows(model, [row({ state: 'skipped', reason: 'muted' })])
    expect(model.faults).toHaveLength(faults)
  })

  test('is not confirmed when it is renewed', async () => {
    const { model, contract, row } = await aContract({ term: 2, renewalDate: '2027-04-17', ...MUTED })
    model.renewals.push({ contract, isConfirmed: true, from: '2027-03-17' })
    noteRows(model, [row({ kind: 'confirmation', offset: 0, term: 2 })])
    judgeConfirmations(model)
    expect(model.faults).toEqual([expect.stringContaining('should be muted')])
  })

  test.each([
    ['2027-03-17', 0],
    ['2027-02-17', 1],
  ])('is why a confirmation that had failed is skipped when it is renewed again from %s', async (from, faults) => {
    const { model, contract, row } = await aContract({ term: 2, renewalDate: '2027-04-17', ...MUTED })
    const confirmation = { kind: 'confirmation', offset: 0, term: 2 }
    noteRows(model, [row({ ...confirmation, state: 'failed', reason: 'refused' })])
    model.renewals.push({ contract, isConfirmed: true, from })
    noteRows(model, [row({ ...confirmation, state: 'skipped', reason: 'muted' })])
    expect(model.faults).toHaveLength(faults)
  })
})

describe('a row of a file', () => {
  const ROW: ImportRow = { reference: 'r-1', customer: '', tags: [] }
  const imported = (contract: ModelContract, row: Partial<ImportRow>, rows = [ROW]) =>
    importedBy(
      { ...ROW, ...row },
      { contract, rows, moment: { now: NOW, today: TODAY }, isMuting: true, isPosted: false },
    )

  test.each([
    [{ customer: 'Somebody else' }],
    [{ term: 2 }],
    [{ status: 'cancelled' }],
    [{ renewalDate: '2027-02-17' }],
  ])('that has %j fails', async (row) => {
    const { contract } = await aContract({ termStart: '2027-02-17' })
    expect(imported(contract, row)).toBeUndefined()
  })

  test('with the reference of another one fails', async () => {
    const { contract } = await aContract()
    expect(imported(contract, {}, [ROW, { ...ROW, reference: 'R-1' }])).toBeUndefined()
  })

  test('changes what it says, and is quiet until the next day about another date', async () => {
    const { contract } = await aContract({ tags: ['vip'] })
    const date = '2027-03-20'
    expect(imported(contract, { amount: 20 })).toMatchObject({ amount: 20, since: contract.since, tags: ['vip'] })
    const moved = { renewalDate: date, muted: date, since: Date.parse('2027-03-11T12:00Z'), tags: ['cafe'] }
    expect(imported(contract, { renewalDate: date, tags: ['Café'] })).toMatchObject(moved)
  })

  test('counts from noon of the next day, also where clocks change that day', async () => {
    const { contract } = await aContract()
    contract.account.timeZone = 'America/New_York'
    const moment = { now: Date.parse('2027-03-13T15:00Z'), today: '2027-03-13' }
    const row = { ...ROW, renewalDate: '2027-03-20' }
    const quiet = importedBy(row, { contract, rows: [row], moment, isMuting: false, isPosted: false })
    expect(quiet?.since).toBe(Date.parse('2027-03-14T16:00Z'))
  })
})

test('of imports that changed contracts the latest ten are undone, also once later ones have been', async () => {
  const { contract } = await aContract()
  const { account } = contract
  for (let id = 1; id <= 12; id += 1) noteImport(account, { id, updates: [] })
  expect(account.imports.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  account.imports = account.imports.filter(({ id }) => id <= 3)
  noteImport(account, { id: 13, updates: [] })
  expect(account.imports.map(({ id }) => id)).toEqual([3, 13])
})

test('tags are removed in any case and without accents, and added once', () => {
  expect(retagged(['vip', 'cafe'], { add: ['VIP', 'North'], remove: ['CAFÉ'] })).toEqual(['vip', 'north'])
})

describe('reminders about many', () => {
  const LEFT_OUT: [Partial<ModelContract>, Partial<Row> | undefined, string | undefined][] = [
    [{}, undefined, undefined],
    [{ status: 'expired' }, undefined, 'closed'],
    [MUTED, undefined, undefined],
    [{}, { state: 'sent', sentOn: TODAY }, 'sent_today'],
    [{}, { state: 'sent', sentOn: '2027-03-09' }, undefined],
    [{}, { state: 'planned' }, 'on_its_way'],
    [{}, { state: 'planned', day: '2027-03-11' }, undefined],
    [{}, { kind: 'manual', state: 'sent', sentOn: '2027-03-11' }, 'sent_today'],
    [{}, { kind: 'confirmation', state: 'sent', sentOn: TODAY }, undefined],
  ]

  test.each(LEFT_OUT)('about one that is %j, after %j: %s', async (changes, earlier, reason) => {
    const { model, contract, row } = await aContract(changes)
    if (earlier) noteRows(model, [row(earlier)])
    expect(remindingOf(model, contract, TODAY).reason).toBe(reason)
  })

  test.each([
    [true, 0, 1],
    [true, 1, 0],
    [false, 1, 1],
  ])('to be sent (%s), of which the ledger has %i, are a fault or not', async (isReminded, count, faults) => {
    const { model, contract, row } = await aContract()
    const reminding = remindingOf(model, contract, TODAY)
    noteRows(model, count > 0 ? [row({ kind: 'manual' })] : [])
    judgeReminded(model, contract, reminding, isReminded)
    expect(model.faults).toHaveLength(faults)
  })

  test.each([
    ['changed', 2, 1],
    ['changed', 1, 0],
    ['account_limit', 0, 1],
    ['account_limit', 2, 0],
  ])('are a fault where one is %s after %i emails to its address', async (said, count, faults) => {
    const { model, contract } = await aContract()
    for (let n = 0; n < count; n += 1) {
      model.receipts.push(MAIL)
      model.mailCounts.tries.push(MAIL)
    }
    judgeLimited(model, contract, { addresses: ['customer@simulated.test'], said, others: 1 })
    expect(model.faults).toHaveLength(faults)
  })

  const IN_TRASH = { deletion: { at: NOW, skipped: [], isForGood: false } }
  test.each<[string, Partial<ModelContract>, number, number]>([
    ['waits', {}, 0, 1],
    ['is in the trash', IN_TRASH, 0, 0],
    ['waits for the limit of its address', {}, 2, 0],
  ])('are a fault beside one that takes the last place, unless not today: one that %s', async (...given) => {
    const [, changes, tries, faults] = given
    const { model, contract, row } = await aContract()
    model.mailCounts.limits = { toAddress: 2, ofPaying: 1, ofTrial: 1 }
    const customer = { ...contract.customer, email: 'other@simulated.test' }
    model.contracts.set(2, { ...contract, id: 2, customer, ...changes })
    noteRows(model, [row({ kind: 'manual' }), row({ id: 2, contractId: 2, kind: 'manual' })])
    for (let n = 0; n < tries; n += 1) model.mailCounts.tries.push({ ...MAIL, to: 'other@simulated.test' })
    judgeLimited(model, contract, { addresses: ['customer@simulated.test'], said: 'changed', others: 1 })
    expect(model.faults).toHaveLength(faults)
  })
})
