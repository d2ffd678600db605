import { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { BulkUpload } from '#shared/schemas/imports.ts'
import type { RequestContext } from '#server/context.ts'
import { importFile } from '#server/imports/import-file.ts'
import { getImport, listImports, undoImport } from '#server/imports/imports.service.ts'
import { killWhileUploading } from '#support/kill-while-uploading.ts'
import { aContract, anAccount, anApiKey, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const { signal } = new AbortController()
const GONE = sql`insert into contracts
  (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
  select id, 999, 1, '2026-01-01', 'monthly', '2026-02-01', 'active' from accounts`
const ALL = { limit: 10, skip: 0 }

const manyCustomers = (count: number) =>
  ['Name,Customer Number', ...Array.from({ length: count }, (_, n) => `Customer ${n},N-${n}`)].join('\n')

async function customerCount(request: RequestContext): Promise<number> {
  const rows = await world.db.writeAs(Number(request.caller?.id), (em) =>
    em.execute<{ count: number }[]>('select count(*)::int as count from customers'),
  )
  return rows[0]?.count ?? 0
}

/** The same account on a database that fails after this number of transactions. */
function failingAfter(request: RequestContext, writes: number): RequestContext {
  let left = writes
  const writeAs: RequestContext['db']['writeAs'] = (accountId, work) => {
    left -= 1
    return left < 0 ? Promise.reject(new Error('The database is gone')) : world.db.writeAs(accountId, work)
  }
  return { ...request, db: withWrites(writeAs) }
}

/** The database with these writes, whoever acts. */
function withWrites(writeAs: RequestContext['db']['writeAs']): RequestContext['db'] {
  const db: RequestContext['db'] = { ...world.db, writeAs, as: () => db }
  return db
}

test('an import that fails in the middle leaves whole batches and says up to which line', async () => {
  const request = await anAccount(world)
  const upload = {
    kind: 'customers' as const,
    fileName: 'many.csv',
    bytes: Readable.from([Buffer.from(manyCustomers(9000))]),
    answers: BulkUpload.parse({}),
    signal,
  }
  await expect(importFile(failingAfter(request, 5), upload)).rejects.toMatchObject({
    key: 'IMPORT_STOPPED',
    message: 'The import stopped. Everything up to line 4001 was imported: 4000 created, 0 failed',
    details: { importId: 1 },
    cause: new Error('The database is gone'),
  })
  expect(await customerCount(request)).toBe(4000)
  expect(await getImport(requireReader(request), { id: 1 })).toMatchObject({
    rows: 9000,
    created: 4000,
    throughLine: 4001,
    finishedAt: null,
  })
})

test('an import of updates that fails in the middle leaves whole batches, and the same file again does the rest', async () => {
  const request = await anAccount(world)
  const accountId = Number(request.caller?.id)
  await aContract(request)
  const amounts = async () => {
    const rows = await world.db.writeAs(accountId, (em) =>
      em.execute<{ amount: number; count: number }[]>(
        `select amount_cents::int as amount, count(*)::int as count from contracts
        where reference is not null group by 1 order by 1`,
      ),
    )
    return rows.map(({ amount, count }) => [amount, count])
  }
  await world.db.writeAs(accountId, (em) =>
    em.execute(`insert into contracts
      (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, reference)
      select k.account_id, k.customer_id, 100, k.start_date, k.renewal_cycle, k.renewal_date, k.status, 'A-' || n
      from contracts k, generate_series(1, 3000) n`),
  )
  const rows = ['Reference,Amount', ...Array.from({ length: 3000 }, (_, n) => `A-${n + 1},2`)].join('\n')
  const upload = (answers: object) => ({
    kind: 'contracts' as const,
    fileName: 'prices.csv',
    bytes: Readable.from([Buffer.from(rows)]),
    answers: BulkUpload.parse({ existing: 'update', ...answers }),
    signal,
  })
  await expect(importFile(failingAfter(request, 3), upload({}))).rejects.toMatchObject({
    key: 'IMPORT_STOPPED',
    message: 'The import stopped. Everything up to line 2001 was imported: 0 created, 2000 updated, 0 failed',
  })
  expect(await amounts()).toEqual([
    [100, 1000],
    [200, 2000],
  ])
  const again = await importFile(request, upload({ again: 'true' }))
  expect(again).toMatchObject({ updated: 1000, unchanged: 2000, failed: 0 })
  await world.db.writeAs(accountId, (em) => em.execute(`update imports set updated_at = now() - interval '2 minutes'`))
  for (const id of [1, 2]) await asSubscriber(request, (ctx) => undoImport(ctx, { id }))
  expect(await amounts()).toEqual([[100, 3000]])
})

test('an import whose account is deleted meanwhile is refused like any call of nobody', async () => {
  const request = await anAccount(world)
  let writes = 0
  const writeAs: RequestContext['db']['writeAs'] = async (accountId, work) => {
    writes += 1
    if (writes === 2) await world.db.system.query({ text: 'delete from accounts where id = $1', values: [accountId] })
    return world.db.writeAs(accountId, work)
  }
  const bytes = Readable.from([Buffer.from('Name\nA\n')])
  const upload = { kind: 'customers' as const, fileName: 'a.csv', bytes, answers: BulkUpload.parse({}), signal }
  await expect(importFile({ ...request, db: withWrites(writeAs) }, upload)).rejects.toMatchObject({
    key: 'NOT_SIGNED_IN',
  })
})

test('a batch that loses a race against the deletion of a customer is written on its second try', async () => {
  const request = await anAccount(world)
  let writes = 0
  const writeAs: RequestContext['db']['writeAs'] = async (accountId, work) => {
    writes += 1
    const done = await world.db.writeAs(accountId, async (em, read) => {
      const result = await work(em, read)
      // A contract of a customer who has just gone.
      if (writes === 2) await read(GONE)
      return result
    })
    return done
  }
  const bytes = Readable.from([Buffer.from('Name\nA\n')])
  const upload = { kind: 'customers' as const, fileName: 'a.csv', bytes, answers: BulkUpload.parse({}), signal }
  const answer = await importFile({ ...request, db: withWrites(writeAs) }, upload)
  expect(answer).toMatchObject({ created: 1, failed: 0 })
  expect(await customerCount(request)).toBe(1)
})

test('an import that is running is not undone; one that was interrupted is', async () => {
  const request = await anAccount(world)
  const bytes = Readable.from([Buffer.from(manyCustomers(3000))])
  const upload = { kind: 'customers' as const, fileName: 'many.csv', bytes, answers: BulkUpload.parse({}), signal }
  await expect(importFile(failingAfter(request, 3), upload)).rejects.toThrow('The import stopped')
  const undo = () => asSubscriber(request, (ctx) => undoImport(ctx, { id: 1 }))
  await expect(undo()).rejects.toMatchObject({ key: 'IMPORT_RUNNING' })
  await world.db.writeAs(Number(request.caller?.id), (em) =>
    em.execute(`update imports set updated_at = now() - interval '2 minutes'`),
  )
  expect(await getImport(requireReader(request), { id: 1 })).toMatchObject({ status: 'interrupted', throughLine: 2001 })
  const again = importFile(request, { ...upload, bytes: Readable.from([Buffer.from(manyCustomers(3000))]) })
  const earlier = { id: 1, status: 'interrupted', throughLine: 2001, created: 2000 }
  await expect(again).rejects.toMatchObject({ key: 'IMPORT_REPEATED', details: { question: { earlier } } })
  expect(await undo()).toMatchObject({ removedCustomers: 2000, keptCount: 0 })
})

test('a server that is killed in the middle leaves whole batches, recorded with the import', async () => {
  const request = await anAccount(world)
  const key = await anApiKey(request, { name: 'test' })
  const upload = { path: '/customers/bulk-upload', fileName: 'many.csv', content: manyCustomers(9000), key }
  await killWhileUploading(world, { ...upload, heldAt: 'Customer 4500' })
  expect(await customerCount(request)).toBe(4000)
  const { rows } = await listImports(requireReader(request), ALL)
  expect(rows).toMatchObject([{ rows: 9000, created: 4000, throughLine: 4001, finishedAt: null }])
})
