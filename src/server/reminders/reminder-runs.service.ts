import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { addDays } from '#shared/domain/day.ts'
import type { ReaderContext } from '#server/context.ts'
import { instant } from '#server/db/columns.ts'
import type { Database } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import type { NewNotification } from '#server/notifications/texts.ts'
import { IS_WAITING } from '#server/ledger/ledger.ts'
import { getMailStop, type MailStopView } from '#server/deliverability/mail-stops.service.ts'
import type { Planning } from './notices.ts'

const STALLED_AFTER_HOURS = 2
const HOUR_MS = 3_600_000

/** When the reminder jobs last finished. */
export interface ReminderRuns {
  /** Null before the first. */
  lastRunAt: Date | null
  /** True if that is more than two hours ago. */
  isStalled: boolean
}

/** The last run of the job that has not run for the longest, by the database's clock. */
export async function reminderRuns({ system }: Pick<Database, 'system'>): Promise<ReminderRuns> {
  const statement = sql`
    select last_run_at as "lastRunAt",
      coalesce(last_run_at < now() - make_interval(hours => ${STALLED_AFTER_HOURS}::int), false) as "isStalled"
    from (select min(coalesce(ended_at, began_at)) as last_run_at from job_runs
      where name in ('plan-reminders', 'send-reminders')) r`
  const [runs] = await readRows(system, statement, RunsRow)
  return runs ?? { lastRunAt: null, isStalled: false }
}

const RunsRow = z.object({ lastRunAt: instant.nullable(), isStalled: z.boolean() })

/** The same for one account: it may be planned late while others are not. */
export interface OwnReminderRuns extends ReminderRuns {
  /** Emails that could not be sent for more than two hours, and are retried. */
  waiting: { count: number; since: Date } | null
  /** Mail to customers is paused, because of complaints. */
  stop: MailStopView | null
}

const OwnRow = z.object({
  /** Null if the account has no contract. */
  nextPlanAt: instant.nullable(),
  waiting: z.int(),
  waitingSince: instant.nullable(),
})

/** How far back waiting messages are looked for. */
const WAITING_DAYS = 7

/** For owners who open the app while reminders are stalled. */
export async function getReminderRuns(ctx: ReaderContext): Promise<OwnReminderRuns> {
  const latest = new Date(ctx.services.now().getTime() - STALLED_AFTER_HOURS * HOUR_MS)
  const [runs, [own], stop] = await Promise.all([
    reminderRuns(ctx.db),
    ctx.read(ownRuns(ctx, latest), OwnRow),
    getMailStop(ctx, ctx),
  ])
  const plannedAt = own?.nextPlanAt ?? latest
  const waiting = own?.waitingSince ? { count: own.waiting, since: own.waitingSince } : null
  return plannedAt < latest ? { lastRunAt: plannedAt, isStalled: true, waiting, stop } : { ...runs, waiting, stop }
}

function ownRuns({ accountId, today }: ReaderContext, latest: Date): Sql {
  return sql`
    select (select next_plan_at from reminder_schedules where account_id = ${accountId}) as "nextPlanAt",
      count(*)::int as waiting, min(planned_at) as "waitingSince"
    from reminders r where account_id = ${accountId} and due_on between ${addDays(today, -WAITING_DAYS)} and ${today}
      and ${IS_WAITING} and attempts > 0 and planned_at < ${latest}`
}

/** Notifies an owner whose account was planned hours late; empty if it was not. */
export function noticesOfDelay(since: Date, { account, now }: Planning): NewNotification[] {
  if (!account.settings.enableNotifications || now.getTime() - since.getTime() <= STALLED_AFTER_HOURS * HOUR_MS)
    return []
  return [{ kind: 'reminders_delayed', from: since, through: now, timeZone: account.timeZone }]
}

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: { name?: string; labels: Record<string, string>; value: number }[]
}

type System = Pick<Database, 'system'>

const JobRun = z.object({ name: z.string(), beganAt: instant, endedAt: instant.nullable() })
export type JobRun = z.output<typeof JobRun>

/** When each job last began and ended, by the database's clock. */
export function jobRuns({ system }: System): Promise<JobRun[]> {
  const statement = sql`select name, began_at as "beganAt", ended_at as "endedAt" from job_runs order by name`
  return readRows(system, statement, JobRun)
}

/** The same in seconds since 1970. */
export async function jobMetrics(db: System): Promise<Metric[]> {
  const rows = await jobRuns(db)
  const gauge = (name: string, help: string, at: (row: JobRun) => Date | null): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: rows.flatMap((row) => {
      const value = at(row)
      return value === null ? [] : [{ labels: { job: row.name }, value: value.getTime() / 1000 }]
    }),
  })
  return [
    gauge('traxx_job_last_begin_seconds', 'When a job last started', ({ beganAt }) => beganAt),
    gauge('traxx_job_last_end_seconds', 'When a job last finished', ({ endedAt }) => endedAt),
  ]
}

const StateRow = z.object({ state: z.string(), count: z.int() })
const WaitingRow = z.object({ count: z.int(), seconds: z.number() })

/** Messages of the last day by their state, how many are due, and for how many seconds the oldest; by the clock of the database. */
export async function messageCounts({ system }: System) {
  const states = await readRows(system, sql`select state, count from reminder_states_of_last_day()`, StateRow)
  const due = sql`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as seconds
    from reminders r where ${IS_WAITING} and next_attempt_at <= now()`
  const [waiting] = await readRows(system, due, WaitingRow)
  return { states, due: waiting?.count ?? 0, oldestSeconds: waiting?.seconds ?? 0 }
}

/** The same as metrics. */
export async function ledgerMetrics(db: System): Promise<Metric[]> {
  const { states, due, oldestSeconds } = await messageCounts(db)
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: [{ labels: {}, value }],
  })
  return [
    {
      name: 'traxx_reminders_last_day',
      help: 'Messages added to the ledger in the last 24 hours, by current state',
      type: 'gauge',
      samples: states.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    gauge('traxx_reminders_due', 'Messages that are due and not sent yet', due),
    gauge('traxx_reminders_oldest_due_seconds', 'How long the oldest of them has been due', oldestSeconds),
  ]
}
