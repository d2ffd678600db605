import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import {
  LARGEST_IMPORT_BYTES,
  MOST_ERRORS_ANSWERED,
  type BulkUpload,
  type ImportKind,
  type ListImports,
} from '#shared/schemas/imports.ts'
import { actingAs, asSubscriber, requireSubscriber, type ReaderContext, type RequestContext } from '#server/context.ts'
import { refuseMoreRows } from '#server/customers/row-quota.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView } from '#server/db/page.ts'
import { isViolation } from '#server/db/violations.ts'
import { knownMappings, rememberMapping } from './column-mappings.ts'
import { IMPORT_COLUMNS, ImportView } from './import.view.ts'
import { openUpload } from './open-upload.ts'
import { askAboutMail, refuseRepeated } from './questions.ts'
import { linesToRetry } from './retry.ts'
import type { Batch } from './sheet/batches.ts'
import type { ListedProblem } from './sheet/parse-row.ts'
import type { SheetReader } from './sheet/reader.ts'
import { saveUpload } from './sheet/upload-file.ts'
import { countFailed, recordEnd, recordImport, writeBatch, type Outcome, type WriteOptions } from './write-import.ts'

/*
 * How a file gets into the account: saveUpload writes it to disk; refuseRepeated asks if it was imported before;
 * openUpload converts a workbook to rows, in a separate process; inspectSheet, in a thread if the file is large, asks
 * about unclear dates and amounts; askAboutMail asks about emails to customers. Then batch after batch: the reader parses
 * rows into a Batch (batchesOf), which is plain data and all that crosses the thread; writeBatch inserts it with its
 * failed rows in one transaction, and takes from `batch.sources` what a row that the database refuses looked like in the
 * file. The next batch is parsed meanwhile.
 */

export interface Upload {
  kind: ImportKind
  fileName: string
  bytes: AsyncIterable<Uint8Array>
  answers: BulkUpload
  /** Aborts when the client disconnects: a waiting import then gives up. */
  signal: AbortSignal
}

export interface ImportResult {
  importId: number
  created: number
  failed: number
  /** Customers created for contracts. */
  createdCustomers: number
  /** Failed rows whose customer does not exist, and would be created with `createCustomers`. */
  missingCustomers: number
  /** Rows left out because they repeat an earlier row of the file. */
  repeated: number
  errors: ListedProblem[]
  /** Where to find the other errors, if there are more than are listed. */
  note: string | null
  /** Headings of the file that are no field. */
  ignoredColumns: string[]
}

const LATEST_FIRST: SortKey = { expression: 'i.id', type: 'int', id: 'i.id' }

const ImportPage = pageRow(ImportView)

/** The latest imports first. */
export async function listImports({ read, accountId }: ReaderContext, filter: ListImports) {
  const page = pageOf(LATEST_FIRST, 'desc', filter)
  const from = sql`from imports i where i.account_id = ${accountId}`
  const [found] = await read(pageStatement({ columns: IMPORT_COLUMNS, from, page }), ImportPage)
  return pageView(found, page, ({ cursor, ...view }): ImportView => view)
}

/** @throws IMPORT_NOT_FOUND, also for another account's import */
export async function getImport({ read, accountId }: ReaderContext, { id }: ById): Promise<ImportView> {
  const [found] = await read(
    sql`select ${IMPORT_COLUMNS} from imports i where i.account_id = ${accountId} and i.id = ${id}`,
    ImportView,
  )
  if (!found) throw new AppError('IMPORT_NOT_FOUND')
  return found
}

/**
 * Imports a file. Nothing is written before the whole file has been inspected and every question is answered.
 * @throws NOT_SIGNED_IN if the account is deleted meanwhile, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE, ACCOUNT_FULL if the file
 * has more rows than there is room for, and every IMPORT_… refusal
 */
export async function importFile(ctx: RequestContext, upload: Upload): Promise<ImportResult> {
  const reader = requireSubscriber(ctx)
  return ctx.limits.during('imports', reader.accountId, () => inspectAndImport(ctx, reader, upload))
}

async function inspectAndImport(
  ctx: RequestContext,
  reader: ReaderContext,
  { kind, fileName, bytes, answers, signal }: Upload,
) {
  const { accountId } = reader
  await using upload = await saveUpload(bytes, { content: 'upload', mostBytes: LARGEST_IMPORT_BYTES })
  const { again, retryOf } = answers
  const record = { kind, fileName, sha256: upload.sha256, again, retryOf }
  await refuseRepeated(reader, record)
  const onlyLines = await linesToRetry(reader, record)
  const known = await knownMappings(reader, kind)
  const task = { kind, answers, known, onlyLines, stored: upload.stored }
  await using sheet = await openUpload(task, { accountId, signal })
  await refuseMoreRows(reader, sheet.inspection.rows)
  if (answers.reminders === 'ask') await askAboutMail(reader, sheet)
  const importId = await asSubscriber(ctx, (subscriber) => recordImport(subscriber, record, sheet.inspection))
  const result = await runImport(actingAs(ctx, `import:${importId}`), sheet, {
    importId,
    createCustomers: answers.createCustomers,
    isMuted: answers.reminders === 'off',
    columns: sheet.inspection.columns.found,
  })
  // A mapping by which no row could be imported is likely a mistake.
  if (typeof answers.mapping === 'object' && result.created > 0) {
    await asSubscriber(ctx, (subscriber) => rememberMapping(subscriber, kind, sheet.inspection))
  }
  return result
}

async function runImport(ctx: RequestContext, sheet: SheetReader, options: Omit<WriteOptions, 'room'>) {
  const { columns, repeated } = sheet.inspection
  const result: ImportResult = {
    ...NOTHING,
    importId: options.importId,
    repeated,
    errors: [],
    ignoredColumns: columns.ignored,
  }
  let line = 0
  try {
    for await (const batch of sheet.batches()) {
      const room = MOST_ERRORS_ANSWERED - result.errors.length
      count(result, await write(ctx, batch, { ...options, room }))
      line = batch.throughLine
    }
    await asSubscriber(ctx, (subscriber) => recordEnd(subscriber, options.importId))
  } catch (error) {
    if (error instanceof AppError && error.key === 'NOT_SIGNED_IN') throw error
    const { importId, created, failed } = result
    const stopped = { line, created, failed }
    const isFull = error instanceof AppError && error.key === 'ACCOUNT_FULL'
    throw isFull
      ? new AppError('IMPORT_STOPPED_FULL', {
          cause: error,
          values: { ...error.values, ...stopped },
          details: { importId },
        })
      : new AppError('IMPORT_STOPPED', { cause: error, values: stopped, details: { importId } })
  }
  return withNote(result, ctx.services.storage.quotas.failedRows)
}

/** If a customer is deleted just as a contract finds it, the batch is written again and no longer finds it. */
async function write(ctx: RequestContext, batch: Batch, options: WriteOptions): Promise<Outcome> {
  const work = () => asSubscriber(ctx, (subscriber) => writeBatch(subscriber, batch, options))
  try {
    return await work()
  } catch (error) {
    if (isViolation(error, 'foreign key')) return work()
    throw error
  }
}

const NOTHING = { created: 0, failed: 0, createdCustomers: 0, missingCustomers: 0, note: null }

function count(result: ImportResult, outcome: Outcome) {
  const { created, createdCustomers, missingCustomers, failed } = outcome
  result.created += created
  result.createdCustomers += createdCustomers
  result.missingCustomers += missingCustomers
  result.failed += countFailed(outcome)
  const listed = failed.flatMap((rows) => rows.listed).toSorted(byLine)
  const added = listed.slice(0, MOST_ERRORS_ANSWERED - result.errors.length)
  if (failed.reduce((sum, { found }) => sum + found, 0) > added.length) result.note = LISTED
  result.errors.push(...added)
}

function byLine(one: ListedProblem, other: ListedProblem): number {
  return one.line - other.line
}

const LISTED = `Only the first ${MOST_ERRORS_ANSWERED} errors are listed`

/** Says where to find the errors that the answer does not list. */
function withNote(result: ImportResult, mostKept: number): ImportResult {
  if (result.note === null) return result
  const kept = result.failed > mostKept ? `the first ${mostKept} failed rows` : 'all of them'
  return { ...result, note: `${LISTED}; /imports/${result.importId}/errors.csv has ${kept}` }
}
