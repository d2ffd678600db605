import sql from 'sql-template-tag'
import { z } from 'zod'
import { IMPORT_STATUSES } from '#shared/schemas/imports.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ImportEntity } from './import.entity.ts'

/** An import without progress for this long was interrupted: by a crash, a restart or a lost database. */
const STALE = sql`interval '1 minute'`

const OWN = columnsOf(ImportEntity, 'i', [
  'id',
  'kind',
  'fileName',
  // Rows of the file.
  'rows',
  'created',
  'createdCustomers',
  'failed',
  // The last line of the last batch: everything up to it is imported, nothing after it.
  'throughLine',
  'createdAt',
  'finishedAt',
  // When it was undone in part; the rows that stay had been edited or were in use.
  'undoneAt',
  // Made-up rows for trying the product.
  'isSample',
])

/** The columns of an ImportView, from imports `i`. */
export const IMPORT_COLUMNS = sql`
  ${OWN}, coalesce(i.failed_kept, i.failed) as "failedKept",
  case when i.finished_at is not null then 'finished'
    when i.updated_at < now() - ${STALE} then 'interrupted' else 'running' end as status`

export const ImportView = z.object({
  ...OWN.fields,
  /** How many of the failed rows are still stored: both their number and their age are limited. */
  failedKept: z.int(),
  status: z.enum(IMPORT_STATUSES),
})
export type ImportView = z.output<typeof ImportView>
