import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { SubscriberContext } from '#server/context.ts'
import { removeDeletedContracts } from '#server/contracts/contract.trash.ts'
import { seeingTrash } from '#server/db/trash.ts'
import { noticeEmailsKept } from '#server/notice-rules/notice-emails.ts'

const IdRow = z.object({ id: z.int() })

/**
 * Deletes for good the contracts `k` of a condition that are in the trash. They are locked first: while it waits for another process
 * that deletes some of them, the condition may come to name others, of which no notices would be kept. Returns the names of their PDFs.
 */
export async function deleteForGood(
  { write, accountId }: Pick<SubscriberContext, 'write' | 'accountId'>,
  which: Sql,
): Promise<{ removed: number; pdfs: string[] }> {
  const inTrash = sql`
    select k.id from contracts k where k.account_id = ${accountId} and k.deleted_at is not null and ${which}
    order by k.id for update`
  const ids = await seeingTrash(write, async () => {
    const locked = (await write(inTrash, IdRow)).map(({ id }) => id)
    await write(noticeEmailsKept(accountId, locked))
    return locked
  })
  return removeDeletedContracts({ write, accountId }, sql`k.id = any(${ids}::int[])`)
}
