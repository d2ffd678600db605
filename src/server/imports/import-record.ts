import sql from 'sql-template-tag'
import { z } from 'zod'
import type { SubscriberContext } from '#server/context.ts'
import { notify } from '#server/notifications/notify.ts'
import { ImportEntity } from './import.entity.ts'
import { refuseRepeated, type NewImport } from './questions.ts'
import type { Inspection } from './sheet/inspect-sheet.ts'

/**
 * Everything that imports or undoes holds this lock, a transaction at a time: otherwise a transaction that adds customers
 * and contracts and one that removes contracts and customers could deadlock on their totals.
 */
export async function lockImports({ write, accountId }: SubscriberContext): Promise<void> {
  await write(sql`select pg_advisory_xact_lock(hashtextextended('imports', ${accountId}))`)
}

/** Under the lock: of two uploads of the same file at once, the second one is asked. @throws IMPORT_REPEATED */
export async function recordImport(ctx: SubscriberContext, file: NewImport, inspection: Inspection): Promise<number> {
  const { em, accountId } = ctx
  await lockImports(ctx)
  await refuseRepeated(ctx, file)
  const { kind, fileName, sha256 } = file
  const { headings, rows } = inspection
  const record = em.create(ImportEntity, { accountId, kind, fileName, sha256, headings, rows })
  await em.flush()
  return record.id
}

/** Finishes the import. Failed rows of the oldest imports are deleted if the account has no room for all of them. */
export async function recordEnd(ctx: SubscriberContext, importId: number) {
  const { write, accountId, services } = ctx
  await write(sql`update imports set finished_at = now(), updated_at = now()
    where account_id = ${accountId} and id = ${importId}`)
  await write(sql`
    with ranked as (
      select id, sum(coalesce(failed_kept, failed)) over (order by id desc) as through from imports
      where account_id = ${accountId}),
    oldest as (select id from ranked where through > ${services.storage.quotas.failedRows} and id <> ${importId}),
    gone as (
      delete from import_failures f using oldest where f.account_id = ${accountId} and f.import_id = oldest.id)
    update imports i set failed_kept = 0 from oldest where i.account_id = ${accountId} and i.id = oldest.id`)
  await notifyOfClosedAddresses(ctx, importId)
}

const CountRow = z.object({ count: z.int() })

/** Notifies the owner if imported customers get no emails because they unsubscribed or reported one as spam. */
async function notifyOfClosedAddresses({ read, write, accountId, services }: SubscriberContext, importId: number) {
  const statement = sql`
    select count(*)::int as count
    from customers c join closed_addresses x on x.account_id = c.account_id and x.mailbox = c.mailbox
    where c.account_id = ${accountId} and c.import_id = ${importId}`
  const [found] = await read(statement, CountRow)
  const count = found?.count ?? 0
  if (count === 0) return
  const who = count === 1 ? '1 imported customer has' : `${count} imported customers have`
  const message = `${who} unsubscribed or reported an email as spam. No emails will be sent to their addresses.`
  await notify(
    write,
    { accountId, now: services.now() },
    { title: 'Some imported customers will not get emails', message, actionUrl: '/customers' },
  )
}
