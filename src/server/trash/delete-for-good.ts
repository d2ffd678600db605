import sql, { type Sql } from 'sql-template-tag'
import type { SubscriberContext } from '#server/context.ts'
import { removeDeletedContracts } from '#server/contracts/contract.trash.ts'
import { seeingTrash } from '#server/db/trash.ts'
import { noticeEmailsKept } from '#server/notice-rules/notice-emails.ts'

/** Deletes for good the contracts `k` of a condition that are in the trash. Returns the names of their PDFs. */
export async function deleteForGood(
  { write, accountId }: Pick<SubscriberContext, 'write' | 'accountId'>,
  which: Sql,
): Promise<{ removed: number; pdfs: string[] }> {
  const contracts = sql`
    select k.id from contracts k where k.account_id = ${accountId} and k.deleted_at is not null and ${which}`
  await seeingTrash(write, () => write(noticeEmailsKept(accountId, contracts)))
  return removeDeletedContracts({ write, accountId }, which)
}
