import sql from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext } from '#server/context.ts'
import { readRows } from '#server/db/system.ts'
import { finishDeletion } from './finish-deletion.ts'

const AccountRow = z.object({ id: z.int() })

/** Finishes what crashes and services that did not answer have left of deleted accounts. */
export async function finishDeletions(ctx: JobContext): Promise<void> {
  const statement = sql`select id from accounts where deleting_at is not null`
  for (const { id } of await readRows(ctx.db.system, statement, AccountRow)) {
    if (ctx.signal.aborted) return
    await finishDeletion(ctx, id).catch((error: unknown) => {
      ctx.log.error({ err: error, accountId: id }, 'an account could not be removed; it is tried again')
    })
  }
}
