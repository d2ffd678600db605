import sql, { join, type Sql } from 'sql-template-tag'
import type { SubscriberContext } from '#server/context.ts'
import { lockImports } from './import-record.ts'
import { insertContracts, insertCustomers, type Inserted, type InsertOptions } from './insert-rows.ts'
import type { Batch } from './sheet/batches.ts'
import type { Column } from './sheet/columns.ts'
import { failedRowsOf, failureOf, type FailedRows, type RefusedRow } from './sheet/parse-row.ts'
import { fromJsonRow } from './sheet/read-sheet.ts'

export interface WriteOptions extends InsertOptions {
  /** The columns of the file, for reporting what is wrong with a row. */
  columns: Column[]
}

/** What came of one batch. */
export interface Outcome {
  created: number
  createdCustomers: number
  /** The rows that are not valid by themselves, and those that were refused when they were written. */
  failed: FailedRows[]
  throughLine: number
}

const ROWS_A_PIECE = 300

/** Writes the rows of a batch, its failed rows and the progress of the import in one transaction. */
export async function writeBatch(ctx: SubscriberContext, batch: Batch, options: WriteOptions): Promise<Outcome> {
  await lockImports(ctx)
  const nothing = { created: 0, createdCustomers: 0, refused: [] }
  const { refused, ...inserted } = batch.count > 0 ? await insert(ctx, batch, options) : nothing
  const failed = [batch.failed, ...refusedRows(batch, refused, options.columns)]
  const outcome = { ...inserted, failed, throughLine: batch.throughLine }
  await recordBatch(ctx, options.importId, outcome)
  return outcome
}

export function countFailed({ failed }: Outcome): number {
  return failed.reduce((count, rows) => count + rows.count, 0)
}

function insert(ctx: SubscriberContext, batch: Batch, options: InsertOptions): Promise<Inserted> {
  return batch.kind === 'customers' ? insertCustomers(ctx, batch, options) : insertContracts(ctx, batch, options)
}

/** In pieces, since the problems of rows take more memory than the rows. */
function refusedRows({ kind, sources }: Batch, refused: RefusedRow[], columns: Column[]): FailedRows[] {
  if (refused.length === 0) return []
  const rows = sources.split('\n')
  const pieces: FailedRows[] = []
  for (let from = 0; from < refused.length; from += ROWS_A_PIECE) {
    const failures = refused
      .slice(from, from + ROWS_A_PIECE)
      .map((one) => failureOf(fromJsonRow(rows[one.position - 1] ?? ''), one, { kind, columns }))
    pieces.push(failedRowsOf(failures))
  }
  return pieces
}

/** Stores the failed rows as far as the account has room for them. */
async function recordBatch(ctx: SubscriberContext, importId: number, outcome: Outcome) {
  const { write, accountId, services } = ctx
  const { failed, created, createdCustomers, throughLine } = outcome
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
      failed = failed + ${countFailed(outcome)}
    where account_id = ${accountId} and id = ${importId}`)
}

// The longest parameter comes last: the message to the database is copied whenever it outgrows its buffer.
function rowsOf({ lines, problems, distinctProblems, cells }: FailedRows): Sql {
  return sql`select line, ${distinctProblems}::jsonb -> index as problems, cells
    from unnest(${lines}::int[], ${problems}::int[], ${cells}::jsonb[]) as row(line, index, cells)`
}
