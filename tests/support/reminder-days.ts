import { beforeEach } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { NOON } from './services.ts'
import type { World } from './world.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A clock that begins at noon of the test's day, and the reminder jobs of the days that it is moved on. */
export function useReminderDays(world: World) {
  let now = NOON
  beforeEach(() => {
    now = NOON
  })
  /** The database has a clock of its own; after this the account's contracts are of the test's day. */
  const begin = async ({ caller }: RequestContext) => {
    await world.db.writeAs(caller?.id ?? 0, async (em) => {
      await em.execute(`update contracts set reminders_since = '2026-03-10', created_at = '2026-03-10'`)
      await em.execute(`update reminder_schedules set planned_through = '2026-03-09'`)
    })
  }
  /** Everything that falls due in this number of days, as the jobs send it. */
  const pass = async (request: RequestContext, days: number) => {
    await begin(request)
    await passOn(request, days)
  }
  /** The same where the account's contracts are of the test's day already, or were reopened since. */
  const passOn = async (request: RequestContext, days: number) => {
    const job = { ...request, signal: new AbortController().signal }
    for (let day = 0; day < days; day += 1) {
      now = new Date(now.getTime() + DAY_MS)
      await world.db.system.query('update reminder_schedules set next_plan_at = $1', [now])
      await planReminders(job)
      now = new Date(now.getTime() + MINUTE_MS)
      await sendReminders(job)
    }
  }
  return { now: () => now, begin, pass, passOn }
}
