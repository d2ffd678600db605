import sql from 'sql-template-tag'
import { z } from 'zod'
import { OPEN_STATUSES } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import { AppError } from '#shared/errors.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { announceImportMail, type NewContract } from '#server/reminders/announced-mail.service.ts'
import { ReadersRow, readersColumns } from '#server/reminders/reminder-subject.ts'
import { ImportEntity, ImportFailureEntity } from './import.entity.ts'
import { IMPORT_COLUMNS, ImportView } from './imports.service.ts'
import { matched, named, terms } from './insert-rows.ts'
import type { ContractBatch } from './sheet/batches.ts'
import { questionError } from './sheet/inspect-sheet.ts'
import type { SheetReader } from './sheet/reader.ts'

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
  const { id, createdAt, created, failed, status, throughLine } = earlier
  throw questionError('IMPORT_REPEATED', {
    parameter: 'again',
    choices: [{ value: 'true', label: 'Import it again' }],
    earlier: { id, createdAt, created, failed, status, throughLine },
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

/** Asks if the contracts of a file would send emails to customers in the next 90 days. @throws IMPORT_SENDS_MAIL */
export async function askAboutMail(ctx: ReaderContext, sheet: SheetReader): Promise<void> {
  const mail = await announceImportMail(ctx, newContracts(ctx, sheet))
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

/** The contracts that may send emails: those of existing customers, since one that the import creates has no address. */
async function* newContracts(ctx: ReaderContext, sheet: SheetReader): AsyncGenerator<NewContract[]> {
  const dates = new Set(renewalDatesWithOccasions(comingSpan(ctx.today)))
  for await (const batch of sheet.batches()) {
    if (batch.kind !== 'contracts') continue
    if (batch.columns.renewalDate.some((date) => dates.has(date))) yield renewingOn([...dates], ctx, batch)
  }
}

/** The open contracts of a batch that renew on one of these dates, with their customers. */
function renewingOn(dates: Day[], { read, accountId }: ReaderContext, batch: ContractBatch): Promise<NewContract[]> {
  const statement = sql`
    with ${named(batch)}, ${matched(batch, accountId)},
    soon as materialized (
      select m.customer_id, i.renewal_date, i.status from matched m join ${terms(batch)} using (position)
      where m.matches = 1 and i.status = any(${OPEN_STATUSES}::text[]) and i.renewal_date = any(${dates}::date[])),
    reached as materialized (
      select c.id, c.name, ${readersColumns(sql`c.account_id`)} from customers c
      where c.account_id = ${accountId} and c.id = any(array(select customer_id from soon)))
    select r.id as "customerId", r.name as "customerName", r.email, r."sendNotifications", r."hasBounced", r.closed, r.contacts,
      s.renewal_date as "renewalDate", s.status
    from soon s join reached r on r.id = s.customer_id`
  return read(statement, NewContractRow, 'each time')
}

const NewContractRow = z.object({
  ...ReadersRow.shape,
  ...columnsOf(ContractEntity, 'k', ['customerId', 'status', 'renewalDate']).fields,
  customerName: z.string(),
})
