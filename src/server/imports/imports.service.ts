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
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageStatement, pageView, type PageRow } from '#server/db/page.ts'
import { isViolation } from '#server/db/violations.ts'
import type { ReadBatch, SheetReader } from './batches.ts'
import type { ListedProblem } from './failed-rows.ts'
import { countFailed, recordEnd, recordImport, refuseRepeated, type Outcome } from './import-record.ts'
import type { InsertOptions } from './insert-customers.ts'
import { askAboutMail } from './mail-question.ts'
import { IMPORT_COLUMNS, importView, type ImportRow, type ImportView } from './import.view.ts'
import { spool, storedSheet } from './spool.ts'
import { openReader } from './sheet-reader.ts'
import { writeBatch } from './write-batch.ts'

export interface Upload {
  kind: ImportKind
  fileName: string
  bytes: AsyncIterable<Uint8Array>
  answers: BulkUpload
  /** Says when whoever sent it has gone: it then waits no more. */
  signal: AbortSignal
}

export interface ImportAnswer {
  importId: number
  created: number
  failed: number
  /** Customers that contracts brought along. */
  createdCustomers: number
  errors: ListedProblem[]
  /** Where the other errors are, if there are more than the answer lists. */
  note: string | null
  /** Headings of the file that mean nothing to us. */
  ignoredColumns: string[]
}

const LATEST_FIRST: SortKey = { expression: 'i.id', type: 'int', id: 'i.id' }

/** The latest imports first. */
export async function listImports({ read, accountId }: ReaderContext, filter: ListImports) {
  const page = pageOf(LATEST_FIRST, 'desc', filter)
  const from = sql`from imports i where i.account_id = ${accountId}`
  const [found] = await read<PageRow<ImportRow>>(pageStatement({ columns: IMPORT_COLUMNS, from, page }))
  return pageView(found, page, importView)
}

/** @throws IMPORT_NOT_FOUND, also for somebody else's. */
export async function getImport({ read, accountId }: ReaderContext, { id }: ById): Promise<ImportView> {
  const [row] = await read<ImportRow>(
    sql`select ${IMPORT_COLUMNS} from imports i where i.account_id = ${accountId} and i.id = ${id}`,
  )
  if (!row) throw new AppError('IMPORT_NOT_FOUND')
  return importView(row)
}

/**
 * Imports a file: it is received, read once to see whether anything is wrong with it or has to be asked, and only then
 * written, batch by batch. @throws NOT_SIGNED_IN where the account is deleted meanwhile, TOO_MANY_REQUESTS, and every IMPORT_… refusal but IMPORT_NOT_FOUND and IMPORT_RUNNING
 */
export async function importFile(ctx: RequestContext, { kind, fileName, bytes, answers, signal }: Upload) {
  const reader = requireSubscriber(ctx)
  const { accountId } = reader
  await ctx.limits.take('imports', accountId)
  await using upload = await spool(bytes, LARGEST_IMPORT_BYTES)
  const record = { kind, fileName, sha256: upload.sha256, again: answers.again }
  await refuseRepeated(reader, record)
  await using sheet = await openReader({ kind, answers, upload: storedSheet('upload', upload) }, { accountId, signal })
  if (answers.reminders === 'ask') await askAboutMail(reader, sheet)
  const importId = await asSubscriber(ctx, (subscriber) => recordImport(subscriber, record, sheet.survey))
  // Awaited here: the file is closed on the way out.
  return await runImport(actingAs(ctx, `import:${importId}`), sheet, {
    importId,
    createCustomers: answers.createCustomers,
    isMuted: answers.reminders === 'off',
  })
}

async function runImport(ctx: RequestContext, sheet: SheetReader, options: InsertOptions) {
  const { ignored } = sheet.survey.columns
  const answer: ImportAnswer = { ...NOTHING, importId: options.importId, errors: [], ignoredColumns: ignored }
  let line = 0
  try {
    for await (const read of sheet.batches()) {
      count(answer, await write(ctx, read, options))
      line = read.batch.throughLine
    }
    await asSubscriber(ctx, (subscriber) => recordEnd(subscriber, options.importId))
  } catch (error) {
    if (error instanceof AppError && error.key === 'NOT_SIGNED_IN') throw error
    const { importId, created, failed } = answer
    throw new AppError('IMPORT_STOPPED', { cause: error, values: { line, created, failed }, details: { importId } })
  }
  return withNote(answer, ctx.services.storage.quotas.failedRows)
}

/** Where a customer is deleted just as a contract finds it, the batch finds none on its second try. */
async function write(ctx: RequestContext, read: ReadBatch, options: InsertOptions): Promise<Outcome> {
  const work = () => asSubscriber(ctx, (subscriber) => writeBatch(subscriber, read, options))
  try {
    return await work()
  } catch (error) {
    if (isViolation(error, 'foreign key')) return work()
    throw error
  }
}

const NOTHING = { created: 0, failed: 0, createdCustomers: 0, note: null }

function count(answer: ImportAnswer, outcome: Outcome) {
  const { created, createdCustomers, failed } = outcome
  answer.created += created
  answer.createdCustomers += createdCustomers
  answer.failed += countFailed(outcome)
  const listed = failed.flatMap((rows) => rows.listed).toSorted(byLine)
  const told = listed.slice(0, MOST_ERRORS_ANSWERED - answer.errors.length)
  if (failed.reduce((sum, { found }) => sum + found, 0) > told.length) answer.note = LISTED
  answer.errors.push(...told)
}

function byLine(one: ListedProblem, other: ListedProblem): number {
  return one.line - other.line
}

const LISTED = `Only the first ${MOST_ERRORS_ANSWERED} errors are listed`

/** Says where the errors are that the answer does not list. */
function withNote(answer: ImportAnswer, mostKept: number): ImportAnswer {
  if (answer.note === null) return answer
  const kept = answer.failed > mostKept ? `the first ${mostKept} failed rows` : 'all of them'
  return { ...answer, note: `${LISTED}; /imports/${answer.importId}/errors.csv has ${kept}` }
}
