import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { announceImportMail } from '#server/reminders/announced-imports.service.ts'
import { ImportEntity, ImportFailureEntity } from './import.entity.ts'
import { IMPORT_COLUMNS, ImportView } from './imports.service.ts'
import { questionError } from './sheet/inspect-sheet.ts'
import type { SheetReader } from './sheet/reader.ts'
import { mailedContracts } from './mailed-contracts.ts'
import type { ExistingMode } from './write-existing.ts'

export interface NewImport {
  kind: ImportKind
  fileName: string
  sha256: Buffer
  /** Whether the file is to be imported even if it was imported before. */
  again: boolean
  /** The latest import of the file, if its failed rows are to be imported. */
  retryOf: number | undefined
}

/** Asks if the same file was imported before, unless that is the import to be retried. @throws IMPORT_REPEATED */
export async function refuseRepeated({ read, accountId }: ReaderContext, { kind, sha256, again, retryOf }: NewImport) {
  if (again) return
  const statement = sql`
    select ${IMPORT_COLUMNS} from imports i
    where i.account_id = ${accountId} and i.sha256 = ${sha256} and i.kind = ${kind} order by i.id desc limit 1`
  const [earlier] = await read(statement, ImportView)
  if (!earlier || earlier.id === retryOf) return
  const { id, createdAt, created, updated, failed, status, throughLine } = earlier
  throw questionError('IMPORT_REPEATED', {
    parameter: 'again',
    choices: [{ value: 'true', label: 'Import it again' }],
    earlier: { id, createdAt, created, updated, failed, status, throughLine },
  })
}

/**
 * The lines of the rows that failed in the import to be retried; undefined means all rows, if none was imported.
 * @throws IMPORT_NOT_FOUND, IMPORT_RUNNING, IMPORT_RETRY_OTHER_FILE, IMPORT_RETRY_GONE if not all of them are stored
 */
export async function linesToRetry(
  { read, accountId }: ReaderContext,
  { kind, sha256, retryOf }: NewImport,
): Promise<Set<number> | undefined> {
  if (retryOf === undefined) return undefined
  const [tried] = await read(
    sql`select ${IMPORT_COLUMNS}, ${SHA256} from imports i where i.account_id = ${accountId} and i.id = ${retryOf}`,
    Tried,
  )
  if (!tried) throw new AppError('IMPORT_NOT_FOUND')
  if (tried.status === 'running') throw new AppError('IMPORT_RUNNING')
  if (tried.kind !== kind || !sha256.equals(tried.sha256)) throw new AppError('IMPORT_RETRY_OTHER_FILE')
  if (tried.created + tried.updated + tried.unchanged === 0) return undefined
  if (tried.failed === 0 || tried.failedKept < tried.failed) throw new AppError('IMPORT_RETRY_GONE')
  const failures = await read(
    sql`select ${LINE} from import_failures f where f.account_id = ${accountId} and f.import_id = ${retryOf}`,
    FailureRow,
  )
  return new Set(failures.map(({ line }) => line))
}

const SHA256 = columnsOf(ImportEntity, 'i', ['sha256'])
const Tried = z.object({ ...ImportView.shape, ...SHA256.fields })
const LINE = columnsOf(ImportFailureEntity, 'f', ['line'])
const FailureRow = z.object(LINE.fields)

/** Asks if the contracts of a file would send emails to customers in the next 90 days. @throws IMPORT_SENDS_MAIL */
export async function askAboutMail(ctx: ReaderContext, sheet: SheetReader, existing: ExistingMode): Promise<void> {
  const mail = await announceImportMail(ctx, mailedContracts(ctx, sheet, existing))
  if (mail.emails === 0) return
  throw questionError('IMPORT_SENDS_MAIL', {
    parameter: 'reminders',
    choices: [
      { value: 'on', label: 'Send emails' },
      { value: 'off', label: 'Do not send emails' },
    ],
    mail,
  })
}
