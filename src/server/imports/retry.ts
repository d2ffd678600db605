import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ImportEntity, ImportFailureEntity } from './import.entity.ts'
import { IMPORT_COLUMNS, ImportView } from './imports.service.ts'
import type { NewImport } from './questions.ts'

/**
 * The lines of the rows that failed in the import to be retried; undefined for all rows, where none was imported.
 * @throws IMPORT_NOT_FOUND, IMPORT_RUNNING, IMPORT_RETRY_OTHER_FILE, IMPORT_RETRY_GONE if not all of them are stored
 */
export async function linesToRetry(
  { read, accountId }: ReaderContext,
  { kind, sha256, retryOf }: Pick<NewImport, 'kind' | 'sha256' | 'retryOf'>,
): Promise<Set<number> | undefined> {
  if (retryOf === undefined) return undefined
  const [tried] = await read(
    sql`select ${IMPORT_COLUMNS}, ${SHA256} from imports i where i.account_id = ${accountId} and i.id = ${retryOf}`,
    Tried,
  )
  if (!tried) throw new AppError('IMPORT_NOT_FOUND')
  if (tried.status === 'running') throw new AppError('IMPORT_RUNNING')
  if (tried.kind !== kind || !sha256.equals(tried.sha256)) throw new AppError('IMPORT_RETRY_OTHER_FILE')
  if (tried.created === 0) return undefined
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
