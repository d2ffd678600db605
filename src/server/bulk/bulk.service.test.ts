import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { requireReader, type JobContext, type RequestContext } from '#server/context.ts'
import { getContract, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { renewContract } from '#server/contracts/renewals.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { removeTag } from '#server/tags/tags.service.ts'
import { removeContractForGood, restoreFromTrash } from '#server/trash/trash.service.ts'
import { holdStatement } from '#support/held-rows.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { getBulk, latestBulk, startBulk, undoBulk } from './bulk.service.ts'
import { previewBulk } from './preview-bulk.service.ts'
import { runBulkChanges } from './run-bulk-changes.ts'

const world = useWorld()
const NOW = new Date('2026-03-10T12:00:00Z')
const services = { now: () => NOW, billingNow: () => NOW }

/** An account with some contracts, today being March 10. */
async function anAccountWith(...contracts: NonNullable<Parameters<typeof aContract>[1]>[]) {
  const request = await anAccount(world, { services })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor' })
  const ids: number[] = []
  for (const changes of contracts) {
    const fields = { customerId, startDate: '2026-01-01', renewalDate: '2026-04-01', amount: 100, ...changes }
    ids.push((await aContract(request, fields)).id)
  }
  return { ...changesOf(request), request, ids }
}

function changesOf(request: RequestContext) {
  const reader = () => requireReader(request)
  return {
    preview: (input: object) => previewBulk(reader(), BulkChange.parse(input)),
    start: (input: object) => asSubscriber(request, (ctx) => startBulk(ctx, BulkChange.parse(input))),
    undo: (id: number) => asSubscriber(request, (ctx) => undoBulk(ctx, { id })),
    look: (id: number) => getBulk(reader(), { id }),
    get: (id: number) => getContract(reader(), { id }),
    edit: (id: number, fields: object) =>
      asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, ...fields }))),
  }
}

async function run() {
  const faults: unknown[] = []
  const ctx: JobContext = {
    db: world.db.as('job:bulk-changes'),
    services: fakeServices(services),
    log: { ...Fastify().log, error: (fault: unknown) => void faults.push(fault) },
    signal: new AbortController().signal,
  }
  await runBulkChanges(ctx)
  expect(faults).toEqual([])
}

const RAISE = { action: 'change_price', price: { by: 'percent', value: 5 } }
const END = { action: 'end', reason: 'price', note: 'Too dear' }

describe('a change of many contracts', () => {
  test('renews those that it can, and says which it leaves out and why', async () => {
    const { start, look, get, preview, request, ids } = await anAccountWith({}, { amount: 50 }, { status: 'cancelled' })
    const renew = { action: 'renew', contracts: { ids } }
    expect(await preview(renew)).toEqual({
      count: 2,
      amountBefore: 150,
      amount: 150,
      leftOut: [{ reason: 'closed', count: 1 }],
      emailsToday: 0,
      waiting: 0,
    })
    const { id } = await start(renew)
    expect(await look(id)).toMatchObject({ state: 'running', total: 3, waiting: 3, changed: 0 })
    await run()
    expect(await look(id)).toMatchObject({
      state: 'done',
      waiting: 0,
      changed: 2,
      leftOut: [{ reason: 'closed', count: 1 }],
      endedAt: NOW,
    })
    const [first = 0] = ids
    expect(await get(first)).toMatchObject({ term: 2, renewalDate: '2026-05-01' })
    expect(await listTerms(requireReader(request), { id: first })).toMatchObject([
      { number: 2, outcome: 'running' },
      { number: 1, outcome: 'renewed', decidedBy: 'person' },
    ])
  })

  test('runs once, also if two workers look at it at once', async () => {
    const { start, get, ids } = await anAccountWith({}, {})
    await start({ action: 'renew', contracts: { ids } })
    await Promise.all([run(), run(), run()])
    for (const id of ids) expect(await get(id)).toMatchObject({ term: 2 })
  })

  test('ends contracts on their renewal dates, with a reason of the account', async () => {
    const { start, get, request, ids } = await anAccountWith({}, { renewalDate: '2026-03-01' })
    await start({ ...END, contracts: { ids } })
    await run()
    const [running = 0, overdue = 0] = ids
    expect(await get(running)).toMatchObject({ status: 'active', endsOn: '2026-04-01' })
    expect(await get(overdue)).toMatchObject({ status: 'cancelled', endsOn: '2026-03-10' })
    expect(await listTerms(requireReader(request), { id: overdue })).toMatchObject([
      { outcome: 'ended', reason: 'Price', note: 'Too dear' },
    ])
  })

  test('schedules other prices, rounded as asked', async () => {
    const { start, get, preview, ids } = await anAccountWith({ amount: 99 }, { amount: 33.33, renews: 'never' })
    const raise = { ...RAISE, price: { by: 'percent', value: 4, roundTo: 5 }, contracts: { ids } }
    expect(await preview(raise)).toEqual({
      count: 1,
      amountBefore: 99,
      amount: 105,
      leftOut: [{ reason: 'never_renews', count: 1 }],
    })
    await start(raise)
    await run()
    expect(await get(ids[0] ?? 0)).toMatchObject({ amount: 99, nextAmount: 105, version: 2 })
  })

  test('has all contracts that a filter has', async () => {
    const { start, look, get, ids } = await anAccountWith({ renewalCycle: 'yearly' }, {}, { renewalCycle: 'yearly' })
    const { id, total } = await start({ ...RAISE, contracts: { filter: { cycle: 'yearly', search: 'harb' } } })
    expect(total).toBe(2)
    await run()
    expect(await look(id)).toMatchObject({ state: 'done', changed: 2 })
    expect(await get(ids[1] ?? 0)).toMatchObject({ nextAmount: null })
  })

  test('leaves out a contract that was deleted meanwhile', async () => {
    const { start, look, request, ids } = await anAccountWith({}, {})
    const { id } = await start({ ...RAISE, contracts: { ids } })
    await asSubscriber(request, (ctx) => removeContract(ctx, { id: ids[0] ?? 0 }))
    await run()
    expect(await look(id)).toMatchObject({ changed: 1, leftOut: [{ reason: 'gone', count: 1 }] })
  })

  test('deletes contracts, also closed ones, and their undo restores them unless somebody has', async () => {
    const { start, undo, look, get, request, ids } = await anAccountWith({}, { status: 'cancelled' }, {}, {})
    const [open = 0, closed = 0, restored = 0, removed = 0] = ids
    const before = await get(open)
    const { id } = await start({ action: 'delete', contracts: { ids } })
    await run()
    expect(await look(id)).toMatchObject({ state: 'done', changed: 4, leftOut: [] })
    for (const one of ids) await expect(get(one)).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [], contracts: [restored] }))
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id: removed }))
    await undo(id)
    await run()
    expect(await look(id)).toMatchObject({
      state: 'undone',
      undone: 2,
      kept: [
        { contractId: restored, changedSince: 'Restored' },
        { contractId: removed, changedSince: 'Deleted permanently' },
      ],
    })
    expect(await get(open)).toEqual({ ...before, version: before.version + 2 })
    expect(await get(closed)).toMatchObject({ status: 'cancelled' })
  })

  test('goes beyond one transaction', async () => {
    const { start, look, request, ids } = await anAccountWith({})
    const { id: customerId } = await aCustomer(request, { name: 'Mill' })
    const many = `insert into contracts (account_id, customer_id, amount_cents, renewal_cycle, start_date, renewal_date, status)
      select ${request.caller?.id}, ${customerId}, 100 * n, 'monthly', '2026-01-01', '2026-04-01', 'active'
      from generate_series(1, 1200) n`
    await world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(many))
    const { id } = await start({ ...RAISE, contracts: { filter: {} } })
    await run()
    expect(await look(id)).toMatchObject({ state: 'done', total: 1201, changed: 1201 })
    expect(ids).toHaveLength(1)
  })
})

describe('undoing a change', () => {
  test('takes back what was not changed since, and names the rest', async () => {
    const { start, undo, look, get, edit, request, ids } = await anAccountWith({}, {}, {}, {})
    const [same = 0, edited = 0, decided = 0, deleted = 0] = ids
    const before = await get(same)
    const { id } = await start({ action: 'renew', contracts: { ids } })
    await run()
    await edit(edited, { amount: 70 })
    await asSubscriber(request, (ctx) => renewContract(ctx, { id: decided, term: 2 }))
    await asSubscriber(request, (ctx) => removeContract(ctx, { id: deleted }))
    expect(await undo(id)).toMatchObject({ state: 'undoing' })
    await run()
    expect(await look(id)).toMatchObject({
      state: 'undone',
      undone: 1,
      changed: 0,
      keptCount: 3,
      kept: [
        { contractId: edited, customerName: 'Harbor', changedSince: 'Amount' },
        { contractId: decided, customerName: 'Harbor', changedSince: 'Renewed, ended or reopened' },
        { contractId: deleted, customerName: null, changedSince: 'Deleted' },
      ],
    })
    expect(await get(same)).toEqual({ ...before, version: 3 })
    expect(await get(edited)).toMatchObject({ term: 2 })
  })

  test('of prices puts back what was scheduled before', async () => {
    const { start, undo, look, get, edit, ids } = await anAccountWith({}, {}, {})
    const [scheduled = 0, none = 0, changed = 0] = ids
    await edit(scheduled, { nextAmount: 111 })
    const { id } = await start({ ...RAISE, contracts: { ids } })
    await run()
    await edit(changed, { nextAmount: 120 })
    await undo(id)
    await run()
    expect(await get(scheduled)).toMatchObject({ nextAmount: 111 })
    expect(await get(none)).toMatchObject({ nextAmount: null })
    expect(await get(changed)).toMatchObject({ nextAmount: 120 })
    expect(await look(id)).toMatchObject({ undone: 2, keptCount: 1, kept: [{ changedSince: 'Next Amount' }] })
  })

  test('is refused while it runs, and a second time', async () => {
    const { start, undo, ids } = await anAccountWith({})
    const { id } = await start({ ...RAISE, contracts: { ids } })
    await expect(undo(id)).rejects.toMatchObject({ key: 'BULK_NOT_DONE' })
    await run()
    await undo(id)
    await expect(undo(id)).rejects.toMatchObject({ key: 'BULK_UNDONE' })
  })
})

describe('tagging', () => {
  const TAG = { action: 'tag', add: ['vip', 'New'], remove: ['Old'] }

  test('adds and removes tags, also of closed contracts, and says how many are left out', async () => {
    const closed = { status: 'cancelled' } as const
    const { start, preview, look, get, ids } = await anAccountWith(
      { tags: ['VIP', 'Old'] },
      { tags: ['VIP', 'New'] },
      closed,
    )
    expect(await preview({ ...TAG, contracts: { ids } })).toEqual({
      count: 2,
      amountBefore: 200,
      amount: 200,
      leftOut: [{ reason: 'same_tags', count: 1 }],
      emailsToday: 0,
      isAll: true,
    })
    const { id } = await start({ ...TAG, contracts: { ids } })
    await run()
    expect(await look(id)).toMatchObject({ state: 'done', changed: 2, leftOut: [{ reason: 'same_tags', count: 1 }] })
    expect((await Promise.all(ids.map(get))).map(({ tags }) => tags)).toEqual([
      ['VIP', 'New'],
      ['VIP', 'New'],
      ['VIP', 'New'],
    ])
  })

  test('is undone as a whole, where nobody has changed the tags since', async () => {
    const { start, undo, look, get, edit, ids } = await anAccountWith({ tags: ['VIP', 'Old'] }, {})
    const [first = 0, second = 0] = ids
    const { id } = await start({ ...TAG, contracts: { ids } })
    await run()
    await edit(second, { tags: ['Own'] })
    await undo(id)
    await run()
    expect(await get(first)).toMatchObject({ tags: ['VIP', 'Old'] })
    expect(await get(second)).toMatchObject({ tags: ['Own'] })
    expect(await look(id)).toMatchObject({ state: 'undone', undone: 1, kept: [{ changedSince: 'Tags' }] })
  })

  test('is undone with the tags as the account spells them by then', async () => {
    const { start, undo, get, edit, request, ids } = await anAccountWith({ tags: ['Old'] }, {})
    const [first = 0, second = 0] = ids
    const { id } = await start({ ...TAG, contracts: { ids: [first] } })
    await run()
    await asSubscriber(request, (ctx) => removeTag(ctx, { tag: 'Old' }))
    await edit(second, { tags: ['OLD'] })
    await undo(id)
    await run()
    expect(await get(first)).toMatchObject({ tags: ['OLD'] })
  })
})

describe('a change of tags, where the account has as many tags as it can have', () => {
  async function fillTags({ db, caller }: RequestContext) {
    await db.writeAs(caller?.id ?? 0, (em) =>
      em.execute(
        `insert into tags (account_id, name, key) select ?, 'T' || n, 't' || n
          from generate_series(1, 500 - (select count(*)::int from tags where account_id = ?)) n`,
        [caller?.id, caller?.id],
      ),
    )
  }
  const tagsOf = async ({ db, caller }: RequestContext) =>
    (await db.writeAs(caller?.id ?? 0, (em) => em.execute('select id from tags'))).length

  test('ends, and says that its contracts were left out for that', async () => {
    const { start, look, get, request, ids } = await anAccountWith({ tags: ['Old'] }, {})
    const { id } = await start({ action: 'tag', add: ['New'], remove: ['Old'], contracts: { ids } })
    await asSubscriber(request, (ctx) => removeTag(ctx, { tag: 'New' }))
    await fillTags(request)
    await run()
    expect(await look(id)).toMatchObject({ state: 'done', changed: 0, leftOut: [{ reason: 'tags_full', count: 2 }] })
    expect(await get(ids[0] ?? 0)).toMatchObject({ tags: ['Old'] })
    expect(await tagsOf(request)).toBe(500)
  })

  test('is undone where the tags are still there, and says what it keeps', async () => {
    const { start, undo, look, get, request, ids } = await anAccountWith({ tags: ['Gone'] }, { tags: ['Still'] })
    const change = { action: 'tag', add: [], remove: ['Gone', 'Still'], contracts: { ids } }
    const { id } = await start(change)
    await run()
    await asSubscriber(request, (ctx) => removeTag(ctx, { tag: 'Gone' }))
    await fillTags(request)
    await undo(id)
    await run()
    expect(await look(id)).toMatchObject({
      state: 'undone',
      undone: 1,
      kept: [{ contractId: ids[0], changedSince: 'Tags, of which the account has no room for more' }],
    })
    expect(await get(ids[1] ?? 0)).toMatchObject({ tags: ['Still'] })
  })
})

test('an account changes many contracts once at a time', async () => {
  const { start, ids } = await anAccountWith({})
  await start({ ...RAISE, contracts: { ids } })
  await expect(start({ ...RAISE, contracts: { ids } })).rejects.toMatchObject({ key: 'BULK_RUNNING' })
})

test('a change is not undone while another is started', async () => {
  const { start, undo, look, request, ids } = await anAccountWith({})
  const { id } = await start({ ...RAISE, contracts: { ids } })
  await run()
  await using other = await holdStatement(
    world,
    `insert into bulk_changes (account_id, action, request, total, created_at, created_by, state)
      select account_id, action, request, total, created_at, created_by, 'running' from bulk_changes where account_id = $1`,
    [request.caller?.id],
  )
  const undoing = undo(id).catch((error: unknown) => error)
  await other.waitedFor(1)
  await other.release()
  expect(await undoing).toMatchObject({ key: 'BULK_RUNNING' })
  expect(await look(id)).toMatchObject({ state: 'done' })
})

test('the newest ten changes are kept', async () => {
  const { start, look, request, ids } = await anAccountWith({})
  const made: number[] = []
  for (let cents = 1; cents <= 11; cents += 1) {
    made.push((await start({ action: 'change_price', price: { by: 'amount', value: cents }, contracts: { ids } })).id)
    await run()
  }
  await expect(look(made[0] ?? 0)).rejects.toMatchObject({ key: 'BULK_NOT_FOUND' })
  expect(await look(made[1] ?? 0)).toMatchObject({ state: 'done' })
  expect(await latestBulk(requireReader(request))).toMatchObject({ id: made[10] })
})

describe('is refused', () => {
  test('for contracts of somebody else, which are not found', async () => {
    const { ids, start: startTheirs } = await anAccountWith({})
    const { id } = await startTheirs({ ...RAISE, contracts: { ids } })
    const { start, preview, look, undo } = await anAccountWith({})
    await expect(start({ ...RAISE, contracts: { ids } })).rejects.toMatchObject({ key: 'BULK_EMPTY' })
    expect(await preview({ ...RAISE, contracts: { ids } })).toMatchObject({ count: 0, leftOut: [] })
    await expect(look(id)).rejects.toMatchObject({ key: 'BULK_NOT_FOUND' })
    await expect(undo(id)).rejects.toMatchObject({ key: 'BULK_NOT_FOUND' })
  })

  test('with a reason that the account does not have', async () => {
    const { start, preview, ids } = await anAccountWith({})
    const end = { ...END, reason: 'Weather', contracts: { ids } }
    await expect(preview(end)).rejects.toMatchObject({ key: 'END_REASON_UNKNOWN' })
    await expect(start(end)).rejects.toMatchObject({ key: 'END_REASON_UNKNOWN' })
  })

  test.each([
    ['neither ids nor a filter', { action: 'renew', contracts: {} }],
    ['both', { action: 'renew', contracts: { ids: [1], filter: {} } }],
    ['no reason to end', { action: 'end', contracts: { ids: [1] } }],
    ['no price to change to', { action: 'change_price', contracts: { ids: [1] } }],
    ['no tags', { action: 'tag', contracts: { ids: [1] } }],
    ['three decimals', { ...RAISE, price: { by: 'percent', value: 1.234 }, contracts: { ids: [1] } }],
    ['too many ids', { action: 'renew', contracts: { ids: Array.from({ length: 501 }, (_, at) => at + 1) } }],
  ])('with %s', (_what, input) => {
    expect(BulkChange.safeParse(input).success).toBe(false)
  })
})
