import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { createContract, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { endContract, reopenContract, undoDecision, renewContract } from '#server/contracts/renewals.service.ts'
import { removeCustomer, updateCustomer } from '#server/customers/customers.service.ts'
import { actingAs, type RequestContext } from '#server/context.ts'
import { removeContractForGood } from '#server/trash/trash.service.ts'
import { holdRows } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { listActivity } from './activity.service.ts'
import { addNote, changeNote, listNotes, removeNote } from './notes.service.ts'

const world = useWorld()
const PAGE = { limit: 100, skip: 0 }

async function activityOf(request: RequestContext, about: 'contract' | 'customer', id: number) {
  return (await listActivity(requireReader(request), { about, id, ...PAGE })).rows
}

/** What happened, newest first, without the days of the terms. */
async function actionsOf(request: RequestContext, id: number) {
  return (await activityOf(request, 'contract', id)).map(({ action }) => action)
}

async function aContractWithNotes(count: number) {
  const request = await anAccount(world)
  const accountId = request.caller?.id ?? 0
  const { id } = await aContract(request)
  const insertion = (notes: number) => `
    insert into notes (account_id, contract_id, text, created_at, created_by)
    select ${accountId}, ${id}, 'Note ' || n, now(), 'operator' from generate_series(1, ${notes}) n`
  await world.db.writeAs(accountId, (em) => em.execute(insertion(count)))
  const add = () => asSubscriber(request, (ctx) => addNote(ctx, { about: 'contract', id, text: 'Another' }))
  return { add, insertion }
}

describe('the activity of a contract', () => {
  test('has what was changed, before and after, by whom, and its creation', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { name: 'Harbor' })
    const { id: other } = await aCustomer(request, { name: 'Mill' })
    const { id } = await aContract(request, { customerId, amount: 100 })
    const changes = { amount: centsFromAmount(120.5), customerId: other, title: 'Cleaning' }
    await asSubscriber(request, (ctx) => updateContract(ctx, { id, ...changes }))
    const by = { kind: 'person', name: request.caller?.email }
    const [changed, created] = await activityOf(request, 'contract', id)
    expect(changed).toMatchObject({ action: 'changed', by, at: expect.any(Date) })
    expect(changed?.changes.toSorted((one, two) => one.field.localeCompare(two.field))).toEqual([
      { field: 'amount', before: 100, after: 120.5 },
      { field: 'customer', before: 'Harbor', after: 'Mill' },
      { field: 'title', before: null, after: 'Cleaning' },
    ])
    expect(created).toMatchObject({ id: 0, action: 'created', by, changes: [] })
  })

  test('calls decisions what they are', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    await asSubscriber(request, (ctx) => renewContract(ctx, { id }))
    await asSubscriber(request, (ctx) => undoDecision(ctx, { id }))
    await asSubscriber(request, (ctx) => endContract(ctx, { id, reason: 'Price', note: null }))
    await asSubscriber(request, (ctx) => reopenContract(ctx, { id }))
    expect(await actionsOf(request, id)).toEqual(['reopened', 'ended', 'renewal_undone', 'renewed', 'created'])
  })

  test('survives the contract, with what it was', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { amount: 75 })
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
    const [removed, deleted, ...others] = await activityOf(request, 'contract', id)
    expect(others).toEqual([])
    expect(deleted).toMatchObject({ action: 'deleted', changes: [] })
    expect(removed).toMatchObject({ action: 'removed' })
    expect(removed?.changes).toContainEqual({ field: 'amount', before: 75, after: null })
    expect(removed?.changes.map(({ field }) => field)).not.toContain('pdf')
  })

  test('has nothing of changes that change nothing, or only what TRAXX keeps', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { amount: 75 })
    await asSubscriber(request, (ctx) => updateContract(ctx, { id, amount: centsFromAmount(75) }))
    const accountId = request.caller?.id ?? 0
    await world.db.writeAs(accountId, (em) => em.execute(`update contracts set reminders_since = now()`))
    expect(await actionsOf(request, id)).toEqual(['created'])
  })

  test('is read page by page', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    for (const amount of [1, 2, 3]) {
      await asSubscriber(request, (ctx) => updateContract(ctx, { id, amount: centsFromAmount(amount) }))
    }
    const list = (position: object) =>
      listActivity(requireReader(request), { about: 'contract', id, ...PAGE, ...position })
    const first = await list({ limit: 3 })
    expect(first).toMatchObject({ total: 4, more: true })
    const second = await list({ limit: 3, after: first.last })
    expect(second).toMatchObject({ rows: [{ action: 'created' }], more: false })
  })
})

test('of a row that is changed all day, the newest thousand changes or so are kept', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request)
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(`do $$ begin
      for n in 1..1300 loop update contracts set amount_cents = n where id = ${id}; end loop;
    end $$`),
  )
  const { total, rows } = await listActivity(requireReader(request), { about: 'contract', id, ...PAGE })
  expect(total).toBeGreaterThanOrEqual(1000)
  expect(total).toBeLessThanOrEqual(1101)
  expect(rows[0]).toMatchObject({ changes: [{ field: 'amount', after: 13 }] })
})

describe('the activity of a customer', () => {
  test('names the API key that changed it', async () => {
    const request = await anAccount(world)
    const accountId = request.caller?.id ?? 0
    const { id } = await aCustomer(request, { name: 'Harbor' })
    const [key] = await world.db.writeAs(accountId, (em) =>
      em.execute<{ id: number }[]>(
        `insert into api_keys (account_id, name, scope, key_hash) values (?, 'Billing', 'all', 'x') returning id`,
        [accountId],
      ),
    )
    const byKey = actingAs(request, `key:${key?.id ?? 0}`)
    await asSubscriber(byKey, (ctx) => updateCustomer(ctx, { id, email: 'orders@harbor.test' }))
    await asSubscriber(request, (ctx) => removeCustomer(ctx, { id }))
    const [deleted, changed] = await activityOf(request, 'customer', id)
    expect(changed).toMatchObject({
      by: { kind: 'key', name: 'Billing' },
      changes: [{ field: 'email', before: null, after: 'orders@harbor.test' }],
    })
    expect(deleted).toMatchObject({ action: 'deleted', by: { kind: 'person' } })
  })

  test('without a row and without activity is not found', async () => {
    const request = await anAccount(world)
    await expect(activityOf(request, 'customer', 2_000_000_000)).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
    await expect(activityOf(request, 'contract', 2_000_000_000)).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
  })
})

test('a change on nobody’s behalf is impossible', async () => {
  const request = await anAccount(world)
  await aContract(request)
  const nobody = actingAs(request, '')
  const change = nobody.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(`update contracts set title = 'A'`))
  await expect(change).rejects.toThrow('app.actor is not set')
})

test('rows of the record cannot be changed', async () => {
  const request = await anAccount(world)
  const change = world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(`update activity set actor = 'traxx'`))
  await expect(change).rejects.toThrow('permission denied')
})

describe('notes', () => {
  test('are written, changed and deleted by their author alone; those of API keys by anybody', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    const about = { about: 'customer', id } as const
    const note = await asSubscriber(request, (ctx) => addNote(ctx, { ...about, text: 'Call in May' }))
    expect(note).toMatchObject({ text: 'Call in May', isOwn: true, editedAt: null, by: { kind: 'person' } })
    const byKey = actingAs(request, 'key:7')
    await expect(asSubscriber(byKey, (ctx) => changeNote(ctx, { id: note.id, text: 'Mine' }))).rejects.toMatchObject({
      key: 'NOTE_OF_ANOTHER',
    })
    await expect(asSubscriber(byKey, (ctx) => removeNote(ctx, note))).rejects.toMatchObject({
      key: 'NOTE_OF_ANOTHER',
    })
    const ofKey = await asSubscriber(byKey, (ctx) => addNote(ctx, { ...about, text: 'Synced' }))
    const changed = await asSubscriber(request, (ctx) => changeNote(ctx, { id: ofKey.id, text: 'Synced, and read' }))
    expect(changed).toMatchObject({ text: 'Synced, and read', editedAt: expect.any(Date) })
    expect((await listNotes(requireReader(request), about)).map(({ text }) => text)).toEqual([
      'Synced, and read',
      'Call in May',
    ])
    await asSubscriber(request, (ctx) => removeNote(ctx, ofKey))
    await asSubscriber(request, (ctx) => removeNote(ctx, note))
    expect(await listNotes(requireReader(request), about)).toEqual([])
    await expect(asSubscriber(request, (ctx) => removeNote(ctx, note))).rejects.toMatchObject({
      key: 'NOTE_NOT_FOUND',
    })
  })

  test('of what is in the trash are not found', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    const note = await asSubscriber(request, (ctx) => addNote(ctx, { about: 'contract', id, text: 'Call in May' }))
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    const refused = { key: 'NOTE_NOT_FOUND' }
    const change = asSubscriber(request, (ctx) => changeNote(ctx, { id: note.id, text: 'Other' }))
    await expect(change).rejects.toMatchObject(refused)
    await expect(asSubscriber(request, (ctx) => removeNote(ctx, note))).rejects.toMatchObject(refused)
  })

  test('are 500 at most', async () => {
    const { add } = await aContractWithNotes(499)
    expect(await add()).toMatchObject({ text: 'Another' })
    await expect(add()).rejects.toMatchObject({ key: 'NOTES_FULL' })
  })

  test('are 500 at most also of two that are added at once', async () => {
    const { add, insertion } = await aContractWithNotes(499)
    await using lock = await holdRows(world, 'contracts')
    const added = add().catch((error: unknown) => error)
    await lock.waitedFor(1)
    await lock.holder.query(insertion(1))
    await lock.release()
    expect(await added).toMatchObject({ key: 'NOTES_FULL' })
  })
})

test('contracts that an import creates name its file', async () => {
  const request = await anAccount(world)
  const accountId = request.caller?.id ?? 0
  const { id: customerId } = await aCustomer(request)
  const { id } = await asSubscriber(request, (ctx) =>
    createContract(ctx, {
      customerId,
      amount: centsFromAmount(10),
      startDate: toDay('2026-01-01'),
      renewalCycle: 'monthly',
      renewalDate: toDay('2026-04-01'),
      status: 'active',
      title: null,
      reference: null,
      renews: 'by_agreement',
      noticePeriod: null,
      tags: [],
    }),
  )
  await world.db.writeAs(accountId, async (em) => {
    const [made] = await em.execute<{ id: number }[]>(
      `insert into imports (account_id, kind, file_name, sha256, headings, rows)
        values (?, 'contracts', 'a.csv', '', '[]', 1) returning id`,
      [accountId],
    )
    await em.execute('update contracts set import_id = ? where id = ?', [made?.id ?? 0, id])
  })
  expect(await activityOf(request, 'contract', id)).toMatchObject([
    { action: 'created', by: { kind: 'import', name: 'a.csv' } },
  ])
})
