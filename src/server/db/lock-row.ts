import sql, { raw } from 'sql-template-tag'
import type { Write } from './database.ts'

/**
 * Locks a row together with the next statement, which sees it as it then is: nobody else changes or deletes it until the
 * transaction ends. MikroORM locks FOR UPDATE, for which rows that refer to it have to wait: the jobs that plan and send
 * messages about it would deadlock with a change that then updates the account's schedule.
 */
export function lockRow(
  { write, accountId }: { write: Write; accountId: number },
  table: 'customers' | 'contracts',
  id: number,
): Promise<void> {
  return write.later(sql`
    select from ${raw(table)} where account_id = ${accountId} and id = ${id} for no key update`)
}
