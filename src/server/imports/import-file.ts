import { AppError } from '#shared/errors.ts'
import { LARGEST_IMPORT_BYTES, MOST_ERRORS_LISTED, type BulkUpload, type ImportKind } from '#shared/schemas/imports.ts'
import { actingAs, asSubscriber, requireSubscriber, type ReaderContext, type RequestContext } from '#server/context.ts'
import { refuseMoreRows } from '#server/customers/row-quota.ts'
import { isViolation } from '#server/db/violations.ts'
import { FairQueue, type Requester } from '#server/limits/fair-queue.ts'
import { knownMappings, rememberMapping } from './column-mappings.ts'
import { countExisting, existingMode } from './existing-question.ts'
import { askAboutMail, linesToRetry, refuseRepeated } from './questions.ts'
import type { Batch } from './sheet/batches.ts'
import type { ListedProblem } from './sheet/parse-row.ts'
import { checkWorkbook, convertXlsx, isWorkbook } from './sheet/convert-xlsx.ts'
import { openReader, type ReadTask, type SheetReader } from './sheet/reader.ts'
import { saveUpload } from './sheet/upload-file.ts'
import type { ExistingMode } from './write-existing.ts'
import { countFailed, recordEnd, recordImport, writeBatch, type Outcome, type WriteOptions } from './write-import.ts'

/*
 * How a file gets into the account: saveUpload writes it to disk; refuseRepeated asks if it was imported before;
 * openUpload converts a workbook to rows, in a separate process; inspectSheet, in a thread if the file is large, asks
 * about unclear dates and amounts; existingMode asks about contracts that exist already; askAboutMail asks about emails to
 * customers. Then batch after batch: the reader parses rows into a Batch (batchesOf), which is plain data and all that
 * crosses the thread; writeBatch writes it with its failed rows in one transaction, and takes from `batch.sources` what a
 * row that the database refuses looked like in the file. The next batch is parsed meanwhile.
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
  /** Contracts that were changed, by their reference. */
  updated: number
  /** Rows with the reference of a contract that were left out, or said nothing new. */
  unchanged: number
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

/**
 * Imports a file. Nothing is written before the whole file has been inspected and every question is answered.
 * @throws NOT_SIGNED_IN if the account is deleted meanwhile, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE, ACCOUNT_FULL if the file
 * has more rows than there is room for, and every IMPORT_… refusal
 */
export async function importFile(
  ctx: RequestContext,
  { kind, fileName, bytes, answers, signal }: Upload,
): Promise<ImportResult> {
  const reader = requireSubscriber(ctx)
  const { accountId } = reader
  return ctx.limits.during('imports', accountId, async () => {
    await using upload = await saveUpload(bytes, { content: 'upload', mostBytes: LARGEST_IMPORT_BYTES })
    const { again, retryOf } = answers
    const record = { kind, fileName, sha256: upload.sha256, again, retryOf }
    await refuseRepeated(reader, record)
    const onlyLines = await linesToRetry(reader, record)
    const known = await knownMappings(reader, kind)
    const task = { kind, answers, known, onlyLines, stored: upload.stored }
    await using sheet = await openUpload(task, { accountId, signal })
    const { inspection } = sheet
    const existing = await existingMode(reader, sheet, answers)
    await refuseMoreNew(reader, sheet, existing)
    if (answers.reminders === 'ask') await askAboutMail(reader, sheet, existing)
    const importId = await asSubscriber(ctx, (subscriber) => recordImport(subscriber, record, inspection))
    const result = await runImport(actingAs(ctx, `import:${importId}`), sheet, {
      importId,
      existing,
      createCustomers: answers.createCustomers,
      isMuted: answers.reminders === 'off',
      columns: inspection.columns.found,
    })
    // A mapping by which no row could be imported is likely a mistake.
    if (typeof answers.mapping === 'object' && result.created + result.updated + result.unchanged > 0) {
      await asSubscriber(ctx, (subscriber) => rememberMapping(subscriber, kind, inspection))
    }
    return result
  })
}

/** Rows of contracts that exist need no room. @throws ACCOUNT_FULL */
async function refuseMoreNew(reader: ReaderContext, sheet: SheetReader, existing: ExistingMode): Promise<void> {
  const { rows } = sheet.inspection
  try {
    await refuseMoreRows(reader, rows)
  } catch (error) {
    if (existing === 'add') throw error
    await refuseMoreRows(reader, rows - (await countExisting(reader, sheet)))
  }
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
      const room = MOST_ERRORS_LISTED - result.errors.length
      count(result, await write(ctx, batch, { ...options, room }))
      line = batch.throughLine
    }
    await asSubscriber(ctx, (subscriber) => recordEnd(subscriber, options.importId))
  } catch (error) {
    if (error instanceof AppError && error.key === 'NOT_SIGNED_IN') throw error
    const { importId, created, updated, failed } = result
    const done = updated > 0 ? `${created} created, ${updated} updated` : `${created} created`
    const stopped = { line, done, failed }
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

const NOTHING = {
  created: 0,
  failed: 0,
  updated: 0,
  unchanged: 0,
  createdCustomers: 0,
  missingCustomers: 0,
  note: null,
}

function count(result: ImportResult, outcome: Outcome) {
  const { created, updated, unchanged, createdCustomers, missingCustomers, failed } = outcome
  result.created += created
  result.updated += updated
  result.unchanged += unchanged
  result.createdCustomers += createdCustomers
  result.missingCustomers += missingCustomers
  result.failed += countFailed(outcome)
  const listed = failed.flatMap((rows) => rows.listed).toSorted(byLine)
  const added = listed.slice(0, MOST_ERRORS_LISTED - result.errors.length)
  if (failed.reduce((sum, { found }) => sum + found, 0) > added.length) result.note = LISTED
  result.errors.push(...added)
}

function byLine(one: ListedProblem, other: ListedProblem): number {
  return one.line - other.line
}

const LISTED = `Only the first ${MOST_ERRORS_LISTED} errors are listed`

/** Says where to find the errors that the response does not list. */
function withNote(result: ImportResult, mostKept: number): ImportResult {
  if (result.note === null) return result
  const kept = result.failed > mostKept ? `the first ${mostKept} failed rows` : 'all of them'
  return { ...result, note: `${LISTED}; /imports/${result.importId}/errors.csv has ${kept}` }
}

/** There is memory for reading one workbook at a time. An account has only a few imports at once: allowances.ts. */
const workbooks = new FairQueue({ mostWaiting: 50, longestWaitMs: 120_000, refusal: 'IMPORT_BUSY' })

/**
 * Inspects an upload and opens it for reading in batches. A workbook is first converted to a file of its rows.
 * @throws what `openReader` and `convertXlsx` throw, IMPORT_BUSY
 */
export async function openUpload(task: ReadTask, requester: Requester): Promise<SheetReader> {
  if (!isWorkbook(task.stored.firstBytes)) return openReader(task)
  await using opened = new AsyncDisposableStack()
  const rows = opened.use(await convertInQueue(task, requester))
  const reader = opened.use(await openReader({ ...task, stored: rows.stored }))
  const open = opened.move()
  return { ...reader, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function convertInQueue({ stored }: ReadTask, requester: Requester) {
  // Nobody has to wait for a file that is refused by its directory.
  const seconds = await checkWorkbook(stored)
  const leave = await workbooks.enter(requester)
  try {
    return await convertXlsx(stored, requester.signal, { seconds })
  } finally {
    leave()
  }
}
