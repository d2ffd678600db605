import sql from 'sql-template-tag'
import { accessOf, type SubscriptionState } from '#shared/domain/access.ts'
import { addDays, dayIn, type Day } from '#shared/domain/day.ts'
import { hasStruck, instantOf } from '#shared/domain/reminder-hour.ts'
import type { Days } from '#shared/domain/reminder-occasions.ts'
import { LATEST_FOLLOW_UP_DAYS, plan } from '#shared/domain/reminder-plan.ts'
import { FOLLOW_UP_DAYS } from '#shared/domain/reminder-preferences.ts'
import type { JobContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'
import { candidates } from './candidates.ts'
import { addToLedger, ledgerRow } from './ledger-rows.ts'
import type { Planning } from './notices.ts'
import { readReminderAccount } from './reminder-account.ts'
import { subjectOf } from './reminder-subject.ts'
import { tellOfStandstill } from './standstill.service.ts'

/** What fell due before cannot be made good any more. */
const LONGEST_OUTAGE_DAYS = LATEST_FOLLOW_UP_DAYS + Math.max(...FOLLOW_UP_DAYS)

/**
 * Decides, in one transaction, about everything that has fallen due in an account since it was last planned, and says
 * when to plan it next. Answers how many rows the ledger got; undefined where somebody else is at it.
 */
export async function planAccount(
  { db, services }: Pick<JobContext, 'db' | 'services'>,
  accountId: number,
): Promise<number | undefined> {
  return db.writeAs(accountId, async (_em, write) => {
    const schedule = await lockSchedule(write, accountId)
    if (!schedule) return undefined
    const account = await readReminderAccount(write, accountId)
    const now = services.now()
    const today = dayIn(now, account.timeZone)
    const { hour } = account.settings
    if (!hasStruck(hour, now, account.timeZone)) {
      await postpone(write, accountId, instantOf(today, hour, account.timeZone))
      return 0
    }
    const hasAccess = accessOf(subscriptionOf(schedule), services.billingNow()) === 'full'
    const days = { from: firstDay(schedule.plannedThrough, today), today }
    const added = hasAccess ? await planDays(write, days, { account, now, today }) : 0
    if (hasAccess && schedule.plannedBefore) {
      await tellOfStandstill(write, new Date(schedule.nextPlanAt), { account, now, today })
    }
    const tomorrow = addDays(today, 1)
    const next = instantOf(tomorrow, hour, account.timeZone)
    // Without access nothing is due, and nothing is made good later.
    const plannedThrough = hasAccess ? today : tomorrow
    await write(sql`
      update reminder_schedules set planned_through = ${plannedThrough}, planned_at = ${now}, next_plan_at = ${next}
      where account_id = ${accountId}`)
    return added
  })
}

interface ScheduleRow {
  plannedThrough: Day
  nextPlanAt: string
  plannedBefore: boolean
  subscription: (Omit<SubscriptionState, Instants> & Record<Instants, string | null>) | null
}

type Instants = 'trialEnd' | 'pastDueSince' | 'endedAt'

async function lockSchedule(write: Read, accountId: number): Promise<ScheduleRow | undefined> {
  const [row] = await write<ScheduleRow>(sql`
    select s.planned_through as "plannedThrough", s.next_plan_at as "nextPlanAt",
      s.planned_at is not null as "plannedBefore",
      (select json_build_object('status', status, 'trialEnd', trial_end, 'pastDueSince', past_due_since,
        'endedAt', ended_at, 'everPaidOrTrialed', ever_paid_or_trialed)
      from subscriptions where account_id = s.account_id) as subscription
    from reminder_schedules s where s.account_id = ${accountId} for update of s skip locked`)
  return row
}

function subscriptionOf({ subscription }: ScheduleRow): SubscriptionState | null {
  if (!subscription) return null
  const { trialEnd, pastDueSince, endedAt, ...rest } = subscription
  return { ...rest, trialEnd: instant(trialEnd), pastDueSince: instant(pastDueSince), endedAt: instant(endedAt) }
}

function instant(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** The last planned day is looked at again: what changed on it after its hour counts at once. */
function firstDay(plannedThrough: Day, today: Day): Day {
  const earliest = addDays(today, -LONGEST_OUTAGE_DAYS)
  if (plannedThrough < earliest) return earliest
  // A clock that was ahead must not keep the days until then from being planned.
  return plannedThrough > today ? today : plannedThrough
}

async function planDays(write: Read, days: Days, planning: Planning): Promise<number> {
  let added = 0
  for await (const rows of candidates(write, planning.account, days)) {
    const ledger = rows.flatMap((row) => {
      const from = row.since > days.from ? row.since : days.from
      const subject = subjectOf(row, planning.account, row.history)
      return plan(subject, { from, today: days.today }).flatMap((decision) => ledgerRow(row, decision, planning))
    })
    if (ledger.length > 0) added += (await write<{ count: number }>(addToLedger(ledger, planning)))[0]?.count ?? 0
  }
  return added
}

async function postpone(write: Read, accountId: number, until: Date): Promise<void> {
  await write(sql`update reminder_schedules set next_plan_at = ${until} where account_id = ${accountId}`)
}
