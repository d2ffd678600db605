import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CreateContract } from '#shared/schemas/contracts.ts'
import type { SubscriberContext } from '#server/context.ts'
import { createContract, removeContract } from '#server/contracts/contracts.service.ts'
import { readRows } from '#server/db/rows.ts'
import { seeingTrash } from '#server/db/trash.ts'
import { saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { undoImport } from './imports.service.ts'
import { doneOrWaiting, holdStatement } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()

/** Columns that say nothing of what somebody has entered. */
const KEPT_BY_TRAXX = {
  customers: ['id', 'account_id', 'import_id', 'edited_at', 'version', 'deleted_at'],
  contracts: ['id', 'account_id', 'import_id', 'edited_at', 'reminders_since', 'pdf_bytes', 'version', 'deleted_at'],
}

/** Another value for each type of column, or for the column where its table takes few. */
const CHANGED: Record<string, string> = {
  text: `'changed'`,
  int4: '7',
  int8: '7',
  bool: 'false',
  date: `'2027-09-30'`,
  timestamptz: `'2020-01-01'`,
  renewal_cycle: `'quarterly'`,
  status: `'pending'`,
  start_date: `'2026-01-02'`,
  renews: `'automatic'`,
  notice_period: `'30 days'`,
  tags: `'{VIP}'`,
  next_cycle: `'yearly'`,
}

function columnsOf(table: string) {
  const statement = sql`
    select attname as name, typname as type from pg_attribute join pg_type t on t.oid = atttypid
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
  return readRows(world.db.system, statement, z.object({ name: z.string(), type: z.string() }))
}

/** A row of `table` that an import has made, and the id of another customer. */
async function imported(table: string) {
  const request = await anAccount(world)
  const accountId = await asSubscriber(request, async (ctx) => ctx.accountId)
  const other = await aCustomer(request, { name: 'Other' })
  const { id } = table === 'customers' ? await aCustomer(request) : await aContract(request)
  const write = (statement: string) =>
    world.db.writeAs(accountId, (em, run) => seeingTrash(run, () => em.execute(statement)))
  await write(`insert into imports (account_id, kind, file_name, sha256, headings, rows)
    values (${accountId}, '${table}', 'file.csv', '', '[]', 1)`)
  await write(`update ${table} set import_id = (select id from imports), edited_at = null where id = ${id}`)
  const isEdited = async () => {
    const rows = await world.db.readAs(accountId, { trash: true })(
      sql`select edited_at is not null as edited from ${raw(table)} where account_id = ${accountId} and id = ${id}`,
      z.object({ edited: z.boolean() }),
    )
    return rows[0]?.edited
  }
  return { request, accountId, id, other: other.id, write, isEdited }
}

test.each(['customers', 'contracts'] as const)(
  'whatever is changed of imported %s counts as an edit',
  async (table) => {
    const row = await imported(table)
    for (const { name, type } of await columnsOf(table)) {
      if (['id', 'account_id', 'import_id', 'edited_at'].includes(name)) continue
      // Only together: the first term has no start of its own.
      if (['term_number', 'term_start'].includes(name)) continue
      await row.write(`update ${table} set edited_at = null, deleted_at = null where id = ${row.id}`)
      expect(await row.isEdited(), `before ${name}`).toBe(false)
      const value = name === 'customer_id' ? String(row.other) : (CHANGED[name] ?? CHANGED[type])
      await row.write(`update ${table} set ${name} = ${value} where id = ${row.id}`)
      expect({ name, edited: await row.isEdited() }).toEqual({ name, edited: !KEPT_BY_TRAXX[table].includes(name) })
    }
  },
)

test.each([
  ['customers', 'name = name, email = email'],
  ['contracts', 'status = status, amount_cents = amount_cents'],
])('writing the same again into imported %s is no edit', async (table, same) => {
  const row = await imported(table)
  await row.write(`update ${table} set ${same} where id = ${row.id}`)
  expect(await row.isEdited()).toBe(false)
})

/** Undoes an import while a change that refers to its row is being saved, which is committed before that. */
async function undoneWhile(
  table: 'customers' | 'contracts',
  referring: (ctx: SubscriberContext, id: number) => Promise<unknown>,
) {
  const { request, accountId, id, write } = await imported(table)
  await write('update imports set finished_at = now()')
  const [file] = await world.db.readAs(accountId)(sql`select id from imports`, z.object({ id: z.int() }))
  let undone: Promise<unknown> | undefined
  await asSubscriber(request, async (ctx) => {
    await referring(ctx, id)
    undone = asSubscriber(request, (other) => undoImport(other, { id: file?.id ?? 0 })).catch((error: unknown) => error)
    expect(await doneOrWaiting(world, { write: ctx.write, work: undone })).toBe('waiting')
  })
  return { id, undone: await undone }
}

test('a customer of an import that gets a contract while the import is undone stays', async () => {
  const terms = {
    amount: 100,
    startDate: '2026-01-01',
    renewalCycle: 'yearly',
    renewalDate: '2027-01-01',
    status: 'active',
  }
  const { id, undone } = await undoneWhile('customers', (ctx, customerId) =>
    createContract(ctx, CreateContract.parse({ ...terms, customerId })),
  )
  expect(undone).toMatchObject({ removedCustomers: 0, kept: [{ kind: 'customer', id, reason: 'hasContracts' }] })
})

test('a contract of an import that gets its own reminder settings while the import is undone stays', async () => {
  const own = { enableNotifications: false, reminderDays: null, followUpDays: null, email: null, inApp: null }
  const { id, undone } = await undoneWhile('contracts', (ctx, contract) =>
    saveContractSettings(ctx, { ...own, id: contract }),
  )
  expect(undone).toMatchObject({ removedContracts: 0, kept: [{ kind: 'contract', id, reason: 'edited' }] })
})

// It is not locked, so somebody may be giving it reminder settings that cannot be seen yet.
test('a contract of an import that is restored while the import is undone stays', async () => {
  const { request, id: held, write } = await imported('contracts')
  const { id } = await aContract(request)
  await write(`update contracts set import_id = (select id from imports), edited_at = null where id = ${id}`)
  await write('update imports set finished_at = now()')
  await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
  await using lock = await holdStatement(world, 'select from contracts where id = $1 for update', [held])
  const undoing = asSubscriber(request, async (ctx) => {
    const [file] = await ctx.read(sql`select id from imports`, z.object({ id: z.int() }))
    return undoImport(ctx, { id: file?.id ?? 0 })
  })
  await lock.waitedFor(1)
  await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
  await lock.release()
  expect(await undoing).toMatchObject({ removedContracts: 1, kept: [{ kind: 'contract', id }] })
})
