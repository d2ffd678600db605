import type { JobContext } from '#server/context.ts'
import { finishDeletion } from './finish-deletion.ts'

/** Finishes what crashes and services that did not answer have left of deleted accounts. */
export async function finishDeletions(ctx: JobContext): Promise<void> {
  const { rows } = await ctx.db.system.query<{ id: number }>('select id from accounts where deleting_at is not null')
  for (const { id } of rows) {
    if (ctx.signal.aborted) return
    await finishDeletion(ctx, id).catch((error: unknown) => {
      ctx.log.error({ err: error, accountId: id }, 'an account could not be removed; it is tried again')
    })
  }
}
