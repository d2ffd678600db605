import { describe, expect, test } from 'vitest'
import { NOW, aSimulatedContract } from '#support/simulated-contract.ts'
import { changedInBulk, type TermChoice } from '#support/simulation/bulk-rules.ts'
import { expectedOf } from '#support/simulation/expectation.ts'
import { noteRows } from '#support/simulation/ledger-watch.ts'
import type { ModelContract } from '#support/simulation/model.ts'
import { isNews } from '#support/simulation/renewal-rules.ts'
import { aDeletion, judgeRestored, noteDeleted, noteRestored } from '#support/simulation/trash.ts'
import { useWorld } from '#support/world.ts'
import { unreachable } from '#support/simulation/lines.ts'

const world = useWorld()
const MOMENT = { now: NOW, today: '2027-03-10' }
const RENEW: TermChoice = { action: 'renew', from: 'today' }
const END: TermChoice = { action: 'end', on: 'renewal_date' }
const RAISE: TermChoice = { action: 'change_price', percent: 5 }

describe('a change of several contracts', () => {
  const LEFT_OUT: [TermChoice, Partial<ModelContract>, string][] = [
    [RENEW, { term: 2 }, 'renewed'],
    [END, { term: 2 }, 'renewed'],
    [RENEW, { status: 'expired' }, 'closed'],
    [END, { endsOn: '2027-03-17' }, 'ending'],
    [RENEW, { renewalDate: '2027-04-11' }, 'not_begun'],
    [RAISE, { renews: 'never' }, 'never_renews'],
    [RAISE, { nextAmount: 11 }, 'same_price'],
    [{ action: 'change_price', percent: -100 }, {}, 'price_impossible'],
  ]

  test.each(LEFT_OUT)('%j leaves out one that is %j', async (change, state, reason) => {
    const { contract } = await aSimulatedContract(world)
    Object.assign(contract, state)
    expect(changedInBulk({ contract, term: 1, state: 'waiting' }, change, MOMENT)).toBe(reason)
  })

  test.each([RENEW, END, RAISE, { action: 'delete' } as const])('%j leaves out one in the trash', async (change) => {
    const { model, contract } = await aSimulatedContract(world)
    contract.deletion = aDeletion(model)
    expect(changedInBulk({ contract, term: 1, state: 'waiting' }, change, MOMENT)).toBe('gone')
  })

  const CHANGED: [TermChoice, Partial<ModelContract>, object][] = [
    [RENEW, {}, { term: 2, termStart: '2027-03-17', renewalDate: '2027-04-17' }],
    [RENEW, { renewalDate: '2027-04-10' }, { term: 2, renewalDate: '2027-05-10' }],
    [RENEW, { renewalDate: '2027-03-09' }, { term: 2, termStart: '2027-03-10', renewalDate: '2027-04-10' }],
    [END, {}, { endsOn: '2027-03-17', status: 'active' }],
    [END, { renewalDate: '2027-03-09' }, { endsOn: '2027-03-10', status: 'cancelled' }],
    [RAISE, { term: 2 }, { nextAmount: 11 }],
  ]

  test.each(CHANGED)('%j changes one that is %j', async (change, state, after) => {
    const { contract } = await aSimulatedContract(world)
    Object.assign(contract, state)
    expect(changedInBulk({ contract, term: 1, state: 'waiting' }, change, MOMENT)).toMatchObject(after)
  })
})

test.each([
  [{ termStart: '2027-03-10' }, {}, true],
  [{ termStart: '2027-03-09' }, {}, true],
  [{ termStart: '2027-03-08' }, {}, false],
  [{ termStart: '2027-03-10' }, { since: NOW + 1 }, true],
  [{ termStart: '2027-03-10' }, { since: NOW + 86_400_000 }, false],
])('of a renewal by itself to a term %j, of a contract %j, the customer is told: %s', async (term, before, isTold) => {
  const { contract } = await aSimulatedContract(world)
  expect(isNews({ ...contract, ...before }, { ...contract, ...term }, MOMENT)).toBe(isTold)
})

describe('a restored contract', () => {
  /** One whose second message its deletion has skipped; the first one had been. */
  async function aDeletedContract() {
    const { model, contract, row } = await aSimulatedContract(world)
    const planned = row({ id: 2, offset: 7 })
    const skipped = row({ id: 1, offset: 14, state: 'skipped', reason: 'no_address' })
    noteRows(model, [{ ...skipped }, { ...planned }])
    const deletion = noteDeleted(model, contract)
    noteRows(model, [{ ...planned, state: 'skipped', reason: 'contract_deleted', sendingAt: null }])
    noteRestored(model, contract)
    return { model, contract, deletion, skipped, planned }
  }

  test('gets the messages that its deletion had skipped', async () => {
    const { model, contract, deletion, planned } = await aDeletedContract()
    noteRows(model, [planned])
    judgeRestored(model, contract, deletion)
    expect(model.faults).toEqual([])
  })

  test('is a fault without them', async () => {
    const { model, contract, deletion } = await aDeletedContract()
    judgeRestored(model, contract, deletion)
    expect(model.faults).toEqual([expect.stringContaining('its contract was restored')])
  })

  test('is a fault with others', async () => {
    const { model, contract, deletion, planned, skipped } = await aDeletedContract()
    noteRows(model, [planned, { ...skipped, state: 'planned', reason: null }])
    judgeRestored(model, contract, deletion)
    expect(model.faults).toEqual([expect.stringContaining('was not skipped by the deletion')])
  })
})

test('what the owner is shown about a contract in the trash is a fault', async () => {
  const { model, contract, row } = await aSimulatedContract(world)
  const shown = row({ recipient: 'owner', channel: 'in_app' })
  noteRows(model, [shown])
  noteDeleted(model, contract)
  noteRows(model, [{ ...shown, state: 'sent' }])
  expect(model.faults).toEqual([expect.stringContaining('its contract is in the trash')])
})

describe('a contact besides the first', () => {
  const ADA = { id: 7, email: 'ada@simulated.test', reminders: true, from: '2027-03-10' }

  test.each([
    [{}, undefined],
    [{ reminders: false }, 'contact_off'],
    [{ email: null }, 'contact_off'],
    [{ email: 'Customer@simulated.test' }, 'second_copy'],
  ])('that is %j is reached, or says why not', async (changes, reason) => {
    const { contract } = await aSimulatedContract(world)
    contract.customer.contacts = [{ ...ADA, ...changes }]
    expect(unreachable(contract, { recipient: 'customer', contactId: 7, channel: 'email' })).toBe(reason)
  })

  test('is told of its own answer also at the address of the first', async () => {
    const { contract, row } = await aSimulatedContract(world)
    contract.customer.contacts = [{ ...ADA, email: 'Customer@simulated.test' }]
    expect(unreachable(contract, row({ kind: 'reply', contactId: 7 }))).toBeUndefined()
    expect(unreachable(contract, row({ kind: 'notice', contactId: 7 }))).toBe('second_copy')
  })

  test.each([
    ['2027-03-10', [0, 7]],
    ['2027-03-11', [0]],
  ])('that gets messages from %s has those of March 10, or not', async (from, contacts) => {
    const { model, contract } = await aSimulatedContract(world)
    contract.customer.contacts = [{ ...ADA, from }]
    const expected = [...expectedOf(model, contract.account, [contract]).values()]
    expect(expected.map(({ contactId }) => contactId)).toEqual(contacts)
  })
})
