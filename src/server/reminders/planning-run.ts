import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, dayIn, type Day, type DaySpan } from '#shared/domain/day.ts'
import { hasHourCome, instantOf } from '#shared/domain/reminder-hour.ts'
import { LATEST_FOLLOW_UP_DAYS } from '#shared/domain/reminder-plan.ts'
import { FOLLOW_UP_DAYS } from '#shared/domain/reminder-preferences.ts'
import type { Services } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { WriteEach } from '#server/db/database.ts'
import type { Planning } from './notices.ts'
import { ACCOUNT_COLUMNS, ACCOUNT_TABLES, AccountRow, hasFullAccess, reminderAccountOf } from './reminder-account.ts'
import { ReminderScheduleEntity } from '#server/ledger/reminder.entity.ts'

/** What fell due more days ago than this is too late to send. */
const LONGEST_OUTAGE_DAYS = LATEST_FOLLOW_UP_DAYS + Math.max(...FOLLOW_UP_DAYS)

/** The planning of one account: for which days, and when it is planned next. */
export interface PlanningRun extends Planning {
  schedule: ScheduleRow
  /** The days to decide about; none before the account's hour, or without access. */
  days: DaySpan | undefined
  /** The last day that is then decided; none before the account's hour. */
  through: Day | undefined
  /** When the account is planned again. */
  next: Date
}

/** Locks the schedules of these accounts, except those that are locked already. */
export async function lockSchedules(
  write: WriteEach,
  accountIds: readonly number[],
  services: Services,
): Promise<PlanningRun[]> {
  const asked = accountIds.map((accountId) => ({ accountId, statement: lockedSchedule(accountId) }))
  const locked = await write(asked, ScheduleRow)
  return accountIds.flatMap((id, index) => locked[index]?.map((schedule) => runOf(id, schedule, services)) ?? [])
}

function runOf(accountId: number, schedule: ScheduleRow, services: Services): PlanningRun {
  const account = reminderAccountOf(accountId, schedule)
  const now = services.now()
  const today = dayIn(now, account.timeZone)
  const { plannedThrough } = schedule
  const { hour } = account.settings
  const begun = { account, now, today, schedule, days: undefined }
  if (!hasHourCome(hour, now, account.timeZone))
    return { ...begun, through: undefined, next: instantOf(today, hour, account.timeZone) }
  const tomorrow = addDays(today, 1)
  const next = instantOf(tomorrow, hour, account.timeZone)
  // Without access nothing is due, and nothing is sent later instead.
  if (!hasFullAccess(account, services.billingNow())) return { ...begun, through: tomorrow, next }
  return { ...begun, days: { from: firstDay(plannedThrough, today), through: today }, through: today, next }
}

const SCHEDULE = columnsOf(ReminderScheduleEntity, 's', ['plannedThrough', 'nextPlanAt', 'plannedAt'])
const ScheduleRow = AccountRow.extend({
  ...SCHEDULE.fields,
  /** A rule about notices is chosen for some of its contracts, or was. */
  hasNotices: z.boolean(),
})
type ScheduleRow = z.output<typeof ScheduleRow>

function lockedSchedule(accountId: number): Sql {
  return sql`
    select ${SCHEDULE}, ${ACCOUNT_COLUMNS}, exists (select from notice_choices o where o.account_id = a.id)
      or exists (select from notices n where n.account_id = a.id) as "hasNotices"
    from ${ACCOUNT_TABLES} join reminder_schedules s on s.account_id = a.id
    where a.id = ${accountId} for update of s skip locked`
}

/** The last planned day is planned again, because things may have changed since its hour. */
function firstDay(plannedThrough: Day, today: Day): Day {
  const earliest = addDays(today, -LONGEST_OUTAGE_DAYS)
  if (plannedThrough < earliest) return earliest
  // Days in the future were planned while the clock was wrong; they are planned again.
  return plannedThrough > today ? today : plannedThrough
}
