import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { SubscriberContext } from '#server/context.ts'
import { refuseMoreRows } from '#server/customers/row-quota.ts'
import { notify } from '#server/notifications/notify.ts'
import { ImportEntity } from './import.entity.ts'
import { lockImports } from './imports.service.ts'
import { refusedAt, restOf, rowsAt, spelled } from './batch-rows.ts'
import { insertCustomers } from './insert-customers.ts'
import { insertContracts, type Inserted, type InsertOptions } from './insert-rows.ts'
import { refuseRepeated, type NewImport } from './questions.ts'
import type { Batch } from './sheet/batches.ts'
import type { Column } from './sheet/columns.ts'
import type { Inspection } from './sheet/inspect-sheet.ts'
import { refusedRowsOf, type FailedRows } from './sheet/parse-row.ts'
import { writeExisting, type ExistingMode } from './write-existing.ts'

export interface WriteOptions extends InsertOptions {
  existing: ExistingMode
  /** The columns of the file, for reporting what is wrong with a row. */
  columns: Column[]
  /** How many problems the response still has room for. */
  room: number
}

/** The result of one batch. */
export interface Outcome {
  created: number
  updated: number
  /** Rows with the reference of a contract that they did not change. */
  unchanged: number
  createdCustomers: number
  missingCustomers: number
  /** The rows that are not valid by themselves, and those that were refused when they were written. */
  failed: FailedRows[]
  throughLine: number
}

/** Under the lock: of two uploads of the same file at once, the second one is asked. @throws IMPORT_REPEATED */
export async function recordImport(ctx: SubscriberContext, file: NewImport, inspection: Inspection): Promise<number> {
  const { em, accountId } = ctx
  await lockImports(ctx)
  await refuseRepeated(ctx, file)
  const { kind, fileName, sha256 } = file
  const { headings, rows } = inspection
  const record = em.create(ImportEntity, { accountId, kind, fileName, sha256, headings, rows })
  await em.flush()
  return record.id
}

/** Writes the rows of a batch, its failed rows and the progress of the import in one transaction. @throws ACCOUNT_FULL */
export async function writeBatch(ctx: SubscriberContext, batch: Batch, options: WriteOptions): Promise<Outcome> {
  await lockImports(ctx)
  const { refused, ...counts } = await writeRows(ctx, batch, options)
  await refuseMoreRows(ctx)
  const file = { kind: batch.kind, columns: options.columns }
  const failed = [batch.failed, refusedRowsOf(batch.sources, refused, { room: options.room, file })]
  const outcome = { ...counts, failed, throughLine: batch.throughLine }
  await recordBatch(ctx, options.importId, outcome)
  return outcome
}

export function countFailed({ failed }: Outcome): number {
  return failed.reduce((count, rows) => count + rows.lines.length, 0)
}

/** Finishes the import. Failed rows of the oldest imports are deleted if the account has no room for all of them. */
export async function recordEnd(ctx: SubscriberContext, importId: number) {
  const { em, write, accountId, services } = ctx
  await em.nativeUpdate(ImportEntity, { accountId, id: importId }, { finishedAt: services.now() })
  await write(sql`
    with ranked as (
      select id, sum(coalesce(failed_kept, failed)) over (order by id desc) as through from imports
      where account_id = ${accountId}),
    oldest as (select id from ranked where through > ${services.storage.quotas.failedRows} and id <> ${importId}),
    gone as (
      delete from import_failures f using oldest where f.account_id = ${accountId} and f.import_id = oldest.id)
    update imports i set failed_kept = 0 from oldest where i.account_id = ${accountId} and i.id = oldest.id`)
  await write(updatesForgotten(accountId))
  await notifyOfClosedAddresses(ctx, importId)
}

/** So many imports can be undone whole; of older ones, contracts that they changed stay as they are. */
const MOST_WITH_UPDATES = 10

function updatesForgotten(accountId: number): Sql {
  return sql`
    with old as (
      select id from imports where account_id = ${accountId} and updated_kept > 0
      order by id desc offset ${MOST_WITH_UPDATES}),
    gone as (delete from import_updates u using old where u.account_id = ${accountId} and u.import_id = old.id)
    update imports i set updated_kept = 0 from old where i.account_id = ${accountId} and i.id = old.id`
}

const CountRow = z.object({ count: z.int() })

/** Notifies the owner if imported customers get no emails because they unsubscribed or reported one as spam. */
async function notifyOfClosedAddresses({ read, write, accountId, services }: SubscriberContext, importId: number) {
  const statement = sql`
    select count(*)::int as count
    from customers c join closed_addresses x on x.account_id = c.account_id and x.mailbox = c.mailbox
    where c.account_id = ${accountId} and c.import_id = ${importId}`
  const [found] = await read(statement, CountRow)
  const customers = found?.count ?? 0
  if (customers === 0) return
  await notify(write, { accountId, now: services.now() }, { kind: 'closed_addresses_imported', customers })
}

async function writeRows(ctx: SubscriberContext, written: Batch, options: WriteOptions) {
  const { batch, refused: untagged } = await spelled(ctx, written)
  const left = new Set(untagged.flatMap(({ positions }) => positions))
  const { done, updated, unchanged, refused } = await writeExisting(ctx, batch, { ...options, left })
  if (left.size === 0 && done.size === 0) {
    const inserted = await insertRows(ctx, batch, options)
    return { ...inserted, updated, unchanged, refused: [...refused, ...inserted.refused] }
  }
  const rest = restOf(batch, new Set([...left, ...done]))
  const inserted = await insertRows(ctx, rowsAt(batch, rest), options)
  return {
    ...inserted,
    updated,
    unchanged,
    refused: [...untagged, ...refused, ...refusedAt(inserted.refused, rest)],
  }
}

async function insertRows(ctx: SubscriberContext, batch: Batch, options: InsertOptions): Promise<Inserted> {
  if (batch.count === 0) return { created: 0, createdCustomers: 0, missingCustomers: 0, refused: [] }
  return batch.kind === 'customers' ? insertCustomers(ctx, batch, options) : insertContracts(ctx, batch, options)
}

/** Stores the failed rows as far as the account has room for them. */
async function recordBatch(ctx: SubscriberContext, importId: number, outcome: Outcome) {
  const { write, accountId, services } = ctx
  const { failed, created, createdCustomers, updated, unchanged, throughLine } = outcome
  const { failedRows } = services.storage.quotas
  await write(sql`
    with failures as (
      insert into import_failures (account_id, import_id, line, problems, cells)
      select ${accountId}, ${importId}, line, problems, cells from (${join(failed.map(rowsOf), ' union all ')}) failed
      order by line limit (select greatest(0, ${failedRows} - coalesce(failed_kept, 0)) from imports
        where account_id = ${accountId} and id = ${importId})
      returning 1
    )
    update imports set updated_at = now(), through_line = ${throughLine},
      failed_kept = coalesce(failed_kept, 0) + (select count(*)::int from failures),
      created = created + ${created}, created_customers = created_customers + ${createdCustomers},
      updated = updated + ${updated}, updated_kept = updated_kept + ${updated}, unchanged = unchanged + ${unchanged},
      failed = failed + ${countFailed(outcome)}
    where account_id = ${accountId} and id = ${importId}`)
}

// The longest parameter comes last: the message to the database is copied whenever it outgrows its buffer.
function rowsOf({ lines, problems, distinctProblems, cells }: FailedRows): Sql {
  return sql`select line, ${distinctProblems}::jsonb -> index as problems, cells
    from unnest(${lines}::int[], ${problems}::int[], ${cells}::jsonb[]) as row(line, index, cells)`
}
