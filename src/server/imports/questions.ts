import sql, { type Sql } from 'sql-template-tag'
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
import { withoutRows } from './batch-rows.ts'
import { findExisting, type ExistingContract } from './existing-contracts.ts'
import { ImportEntity, ImportFailureEntity } from './import.entity.ts'
import { IMPORT_COLUMNS, ImportView } from './imports.service.ts'
import { matched, named, terms } from './insert-rows.ts'
import type { ContractBatch } from './sheet/batches.ts'
import { questionError } from './sheet/inspect-sheet.ts'
import type { SheetReader } from './sheet/reader.ts'
import { bringsMail } from './update-contracts.ts'
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

/**
 * The contracts that may send emails: those of existing customers, since one that the import creates has no address, and
 * those that get another renewal date.
 */
async function* mailedContracts(
  ctx: ReaderContext,
  sheet: SheetReader,
  existing: ExistingMode,
): AsyncGenerator<NewContract[]> {
  const dates = new Set(renewalDatesWithOccasions(comingSpan(ctx.today)))
  for await (const batch of sheet.batches({ renewsOn: dates })) {
    if (batch.kind !== 'contracts') continue
    const found = existing === 'add' ? undefined : await findExisting(ctx, batch, { lock: false })
    const added = found && found.positions.size > 0 ? withoutRows(batch, found.positions) : batch
    if (added.columns.renewalDate.some((date) => dates.has(date))) yield renewingOn([...dates], ctx, added)
    const updates = found && existing === 'update' ? found.changes.filter(bringsMail) : []
    const moved = updates.map(({ after }) => after).filter(({ renewalDate }) => dates.has(renewalDate))
    if (moved.length > 0) yield withReaders(ctx, movedContracts(moved))
  }
}

/** The open contracts of a batch that renew on one of these dates, with their customers. */
function renewingOn(dates: Day[], ctx: ReaderContext, batch: ContractBatch): Promise<NewContract[]> {
  return withReaders(
    ctx,
    sql`${named(batch)}, ${matched(batch, ctx.accountId)},
    soon as materialized (
      select m.customer_id, i.renewal_date, i.status from matched m join ${terms(batch)} using (position)
      where m.matches = 1 and i.status = any(${OPEN_STATUSES}::text[]) and i.renewal_date = any(${dates}::date[]))`,
  )
}

function movedContracts(moved: readonly ExistingContract[]): Sql {
  const rows = moved.map(({ customerId, renewalDate, status }) => ({ customerId, renewalDate, status }))
  return sql`soon as materialized (
      select "customerId" as customer_id, "renewalDate" as renewal_date, status
      from json_to_recordset(${JSON.stringify(rows)}::json) as s("customerId" int, "renewalDate" date, status text))`
}

/** The contracts of the table expression `soon`, with their customers. */
function withReaders({ read, accountId }: ReaderContext, soon: Sql): Promise<NewContract[]> {
  const statement = sql`
    with ${soon},
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
