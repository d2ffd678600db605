import sql from 'sql-template-tag'
import type { Line } from '#shared/domain/reminder-plan.ts'
import type { Read } from '#server/db/database.ts'
import { notify } from '#server/notifications/notify.ts'
import { postpone } from './ledger.ts'
import type { ReminderAccount } from './reminder-account.ts'

/** Shorter than a lease that counts as one of a clock that was ahead; a name that is entered ends the wait at once. */
const WAIT_MS = 3_600_000

/** Whether a message has to wait for the name of the company: without it customers cannot tell who writes to them. */
export function waitsForCompany({ recipient, channel }: Line, { company }: Pick<ReminderAccount, 'company'>): boolean {
  return recipient === 'customer' && channel === 'email' && company.name === null
}

/** Leaves the messages as planned, to be looked at again later. The owner is told of the first that waits. */
export async function waitForCompany(write: Read, { accountId, ids }: { accountId: number; ids: number[] }, now: Date) {
  if (ids.length === 0) return
  await postpone(write, { accountId, ids }, { until: new Date(now.getTime() + WAIT_MS) })
  const [isFirst] = await write(sql`
    insert into companies (account_id, waiting_since)
    select ${accountId}, ${now} where not exists (
      select from companies where account_id = ${accountId} and waiting_since is not null)
    on conflict (account_id) do update set waiting_since = excluded.waiting_since
      where companies.waiting_since is null
    returning account_id`)
  if (isFirst) await notify(write, { accountId, now }, WAITING)
}

const WAITING = {
  title: 'Messages to your customers are waiting',
  message: 'Enter the name of your company, so that customers can tell who writes to them. What waits is then sent.',
  actionUrl: '/company',
}
