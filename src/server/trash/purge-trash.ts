import sql from 'sql-template-tag'
import { z } from 'zod'
import { latestGone } from '#shared/domain/trash.ts'
import type { JobContext } from '#server/context.ts'
import { removeDeletedCustomers } from '#server/customers/customer.trash.ts'
import { readRows } from '#server/db/rows.ts'
import { discard } from '#server/files/store-pdf.ts'
import { deleteForGood } from './delete-for-good.ts'

const ROWS_AT_ONCE = 500

type Purging = Pick<JobContext, 'db' | 'services' | 'signal' | 'log'>

const AccountRow = z.object({ id: z.int() })

/** Deletes for good what was deleted more than 30 days ago. */
export async function purgeTrash(ctx: Purging): Promise<void> {
  const latest = latestGone(ctx.services.now())
  const statement = sql`
    select account_id as id from contracts where deleted_at <= ${latest}
    union select account_id from customers where deleted_at <= ${latest} order by id`
  for (const { id } of await readRows(ctx.db.system, statement, AccountRow)) {
    if (ctx.signal.aborted) return
    // One that fails is tried again in the next run.
    await purgeAccount(ctx, id, latest).catch((error: unknown) => {
      ctx.log.error({ err: error, accountId: id }, 'the trash of an account could not be emptied')
    })
  }
}

/**
 * Contracts before their customers, some at a time. Those that are found may be restored and deleted again before they are
 * locked: of a row that has changed, PostgreSQL checks only the conditions outside the subquery once more.
 */
async function purgeAccount(ctx: Purging, accountId: number, latest: Date): Promise<void> {
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE && !ctx.signal.aborted;)
    removed = await purgeContracts(ctx, accountId, latest)
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE && !ctx.signal.aborted;)
    removed = await purgeCustomers(ctx, accountId, latest)
}

/** After a crash between the commit and the removal of the PDFs, the sweep removes them. */
async function purgeContracts(ctx: Purging, accountId: number, latest: Date): Promise<number> {
  const { removed, pdfs } = await ctx.db.writeAs(accountId, (_em, write) =>
    deleteForGood(
      { write, accountId },
      sql`k.deleted_at <= ${latest} and k.id = any(array(
      select id from contracts where account_id = ${accountId} and deleted_at <= ${latest}
      order by deleted_at, id limit ${ROWS_AT_ONCE}))`,
    ),
  )
  for (const path of pdfs) await discard(ctx, path)
  return removed
}

function purgeCustomers({ db }: Purging, accountId: number, latest: Date): Promise<number> {
  return db.writeAs(accountId, (_em, write) =>
    removeDeletedCustomers(
      { write, accountId },
      sql`c.deleted_at <= ${latest} and c.id = any(array(
      select id from customers where account_id = ${accountId} and deleted_at <= ${latest}
      order by deleted_at, id limit ${ROWS_AT_ONCE}))`,
    ),
  )
}
