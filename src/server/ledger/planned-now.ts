import { z } from 'zod'
import sql from 'sql-template-tag'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { ReminderEntity } from './reminder.entity.ts'

const REMOVED = columnsOf(ReminderEntity, 'r', ['id'])
const RemovedRow = z.object(REMOVED.fields)

/**
 * Removes a planned row that a message sent by hand has added a moment ago, so that it goes out on its day. False if it
 * was in the ledger before.
 */
export async function withdrawPlannedNow(
  write: Write,
  { accountId, id }: { accountId: number; id: number },
): Promise<boolean> {
  const statement = sql`
    delete from reminders r
    where account_id = ${accountId} and id = ${id} and state = 'planned' and attempts = 0 and kind in ('reminder', 'follow_up')
      and next_attempt_at = planned_at + ${UNDO_MS}::int * interval '1 millisecond'
    returning ${REMOVED}`
  return (await write(statement, RemovedRow)).length > 0
}
