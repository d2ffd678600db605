import sql from 'sql-template-tag'
import type { Database, Read } from '#server/db/database.ts'
import type { ReaderContext } from '#server/context.ts'
import type { Planning } from './notices.ts'

const STILL_HOURS = 2
const HOUR_MS = 3_600_000

/** When the jobs of reminders last came to an end. */
export interface ReminderRuns {
  /** Null before the first. */
  lastRunAt: Date | null
  /** True where that is more than two hours ago. */
  isStill: boolean
}

/** Of the two jobs the one that has been away longer; by the database's clock, as they are written down. */
export async function reminderRuns({ system }: Pick<Database, 'system'>): Promise<ReminderRuns> {
  const { rows } = await system.query<{ lastRunAt: string | null; isStill: boolean | null }>({
    name: 'reminder_runs',
    text: `select last_run_at as "lastRunAt", last_run_at < now() - interval '${STILL_HOURS} hours' as "isStill"
      from (select min(coalesce(ended_at, began_at)) as last_run_at from job_runs
        where name in ('plan-reminders', 'send-reminders')) r`,
  })
  const { lastRunAt, isStill } = rows[0] ?? { lastRunAt: null, isStill: null }
  return { lastRunAt: lastRunAt === null ? null : new Date(lastRunAt), isStill: isStill === true }
}

/** For an owner who looks while they stand still. */
export function getReminderRuns({ db }: ReaderContext): Promise<ReminderRuns> {
  return reminderRuns(db)
}

/** Tells an owner afterwards that an account was planned hours later than it should have been. */
export async function tellOfStandstill(write: Read, since: Date, { account, now }: Planning): Promise<void> {
  if (!account.settings.enableNotifications || now.getTime() - since.getTime() <= STILL_HOURS * HOUR_MS) return
  const clock = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: account.timeZone,
  })
  const message = `No reminders were sent from ${clock.format(since)} to ${clock.format(now)}. What was missed has been made good.`
  await write(sql`
    insert into notifications (account_id, type, title, message, action_url, created_at)
    values (${account.id}, 'other', 'Reminders stood still', ${message}, '/reminders?tab=ledger', ${now})`)
}
