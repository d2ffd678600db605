import sql, { join, type Sql } from 'sql-template-tag'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { notify } from '#server/notifications/notify.ts'
import type { FailedRows } from './failed-rows.ts'
import { ImportEntity } from './import.entity.ts'
import { IMPORT_COLUMNS, importView, type ImportRow } from './import.view.ts'
import { asking, type Survey } from './survey.ts'
import type { Outcome } from './write-batch.ts'

interface NewImport {
  kind: ImportKind
  fileName: string
  sha256: Buffer
  again: boolean
}

/** Asks where the same file was imported before. @throws IMPORT_REPEATED */
export async function refuseRepeated({ read, accountId }: ReaderContext, { kind, sha256, again }: NewImport) {
  if (again) return
  const [row] = await read<ImportRow>(sql`
    select ${IMPORT_COLUMNS} from imports i
    where i.account_id = ${accountId} and i.sha256 = ${sha256} and i.kind = ${kind} order by i.id desc limit 1`)
  if (!row) return
  const { id, createdAt, created, failed, status, throughLine } = importView(row)
  throw asking('IMPORT_REPEATED', {
    parameter: 'again',
    choices: [{ value: 'true', label: 'Import it again' }],
    earlier: { id, createdAt, created, failed, status, throughLine },
  })
}

/**
 * Whatever imports or takes back takes turns, a transaction at a time: one that adds customers and contracts and one that
 * removes contracts and customers would else wait for each other's sums.
 */
export async function lockImports({ read, accountId }: SubscriberContext): Promise<void> {
  await read(sql`select pg_advisory_xact_lock(hashtextextended('imports', ${accountId}))`)
}

/** Two of the same file at once take turns here, and the second is asked. @throws IMPORT_REPEATED */
export async function recordImport(ctx: SubscriberContext, given: NewImport, survey: Survey): Promise<number> {
  const { em, accountId } = ctx
  await lockImports(ctx)
  await refuseRepeated(ctx, given)
  const { kind, fileName, sha256 } = given
  const { headings, rows } = survey
  const record = em.create(ImportEntity, { accountId, kind, fileName, sha256, headings, rows })
  await em.flush()
  return record.id
}

/** Counts a batch and keeps its failed rows, as far as there is room for them, in the batch's own transaction. */
export async function recordBatch(ctx: SubscriberContext, importId: number, outcome: Outcome) {
  const { read, accountId, services } = ctx
  const { failed, created, createdCustomers, throughLine } = outcome
  const { failedRows } = services.storage.quotas
  await read(sql`
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

/** The failed rows of the oldest imports make room for those of this one. */
export async function recordEnd(ctx: SubscriberContext, importId: number) {
  const { read, accountId, services } = ctx
  await read(sql`update imports set finished_at = now(), updated_at = now()
    where account_id = ${accountId} and id = ${importId}`)
  await read(sql`
    with ranked as (
      select id, sum(coalesce(failed_kept, failed)) over (order by id desc) as through from imports
      where account_id = ${accountId}),
    oldest as (select id from ranked where through > ${services.storage.quotas.failedRows} and id <> ${importId}),
    gone as (
      delete from import_failures f using oldest where f.account_id = ${accountId} and f.import_id = oldest.id)
    update imports i set failed_kept = 0 from oldest where i.account_id = ${accountId} and i.id = oldest.id`)
  await tellOfClosed(ctx, importId)
}

/** Customers may be imported whose readers want no mail: then that is said once, and none is sent to them. */
async function tellOfClosed({ write, accountId, services }: SubscriberContext, importId: number) {
  const [closed] = await write<{ count: number }>(sql`
    select count(*)::int as count
    from customers c join closed_addresses x on x.account_id = c.account_id and x.mailbox = c.mailbox
    where c.account_id = ${accountId} and c.import_id = ${importId}`)
  const count = closed?.count ?? 0
  if (count === 0) return
  const whose =
    count === 1
      ? '1 customer of the import has an email address whose reader'
      : `${count} customers of the import have email addresses whose readers`
  await notify(
    write,
    { accountId, now: services.now() },
    {
      title: 'Some imported customers get no emails',
      message: `${whose} unsubscribed or reported a message. Nothing is sent there.`,
      actionUrl: '/customers',
    },
  )
}

export function countFailed({ failed }: Pick<Outcome, 'failed'>): number {
  return failed.reduce((count, rows) => count + rows.count, 0)
}

// The longest comes last: a message that grows leaves its shorter selves behind.
function rowsOf({ lines, places, ways, cells }: FailedRows): Sql {
  return sql`select line, ${ways}::jsonb -> place as problems, cells
    from unnest(${lines}::int[], ${places}::int[], ${cells}::jsonb[]) as row(line, place, cells)`
}
