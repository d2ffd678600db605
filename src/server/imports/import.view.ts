import sql from 'sql-template-tag'
import type { ImportKind, ImportStatus } from '#shared/schemas/imports.ts'

/** An import without progress for this long was interrupted: by a crash, a restart or a lost database. */
const STALE = sql`interval '1 minute'`

export const IMPORT_COLUMNS = sql`
  i.id, i.kind, i.file_name as "fileName", i.rows, i.created, i.created_customers as "createdCustomers", i.failed,
  coalesce(i.failed_kept, i.failed) as "failedKept", i.through_line as "throughLine", i.created_at as "createdAt", i.finished_at as "finishedAt",
  i.taken_back_at as "takenBackAt", i.is_sample as "isSample",
  case when i.finished_at is not null then 'finished'
    when i.updated_at < now() - ${STALE} then 'interrupted' else 'running' end as status`

export interface ImportRow {
  id: number
  kind: ImportKind
  fileName: string
  /** Rows of the file. */
  rows: number
  created: number
  createdCustomers: number
  failed: number
  /** How many of these are still stored: both their number and their age are limited. */
  failedKept: number
  /** The last line of the last batch: everything up to it is imported, nothing after it. */
  throughLine: number
  status: ImportStatus
  createdAt: string
  finishedAt: string | null
  takenBackAt: string | null
  /** Made-up rows for trying the product. */
  isSample: boolean
}

export interface ImportView extends Omit<ImportRow, 'createdAt' | 'finishedAt' | 'takenBackAt'> {
  createdAt: Date
  finishedAt: Date | null
  /** When it was undone in part; the rows that stay had been edited or were in use. */
  takenBackAt: Date | null
}

export function importView(row: ImportRow): ImportView {
  return {
    id: row.id,
    kind: row.kind,
    fileName: row.fileName,
    rows: row.rows,
    created: row.created,
    createdCustomers: row.createdCustomers,
    failed: row.failed,
    failedKept: row.failedKept,
    throughLine: row.throughLine,
    status: row.status,
    createdAt: new Date(row.createdAt),
    finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt),
    takenBackAt: row.takenBackAt === null ? null : new Date(row.takenBackAt),
    isSample: row.isSample,
  }
}
