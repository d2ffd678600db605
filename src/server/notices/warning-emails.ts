import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { LEASE_MS } from '#shared/domain/reminder-waits.ts'
import { instant } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { lockSchedule } from '#server/ledger/schedule.ts'

// What is stored of the emails that warn an owner of windows.

/** What an email is to be about. */
export const PendingRow = z.object({
  /** That of the email, if it was tried before. */
  key: z.string().nullable(),
  ids: z.array(z.int()),
  /** When the first of them was warned of. */
  warnedAt: instant,
  /** Another email about warnings was sent today, or may have been. */
  isEmailedToday: z.boolean(),
  /** The day of the account's last email, and of the last one about these warnings. */
  emailedOn: z.string().nullable(),
  warnedOn: z.string().nullable(),
  /** When another email that may have been sent is tried again, if these were in none. */
  triedAt: instant.nullable(),
})
export type PendingRow = z.output<typeof PendingRow>

/** The warnings that an email is about: those of one that was tried before, or those that were in none; the first to close first. */
export function pendingEmail(accountId: number, { now, today }: { now: Date; today: Day }) {
  return sql`
    select n.owner_email_key as key, json_agg(n.id order by n.last_day, n.id) as ids, min(n.warned_at) as "warnedAt",
      exists (select from notices o where o.account_id = n.account_id and o.owner_emailed_on = ${today}
          and (n.owner_email_key is null or o.owner_email_key is distinct from n.owner_email_key))
        or exists (select from reminder_schedules s where s.account_id = n.account_id and s.owner_emailed_on = ${today})
          and (n.owner_email_key is null or bool_or(n.owner_emailed_on = ${today}) is not true) as "isEmailedToday",
      (select s.owner_emailed_on from reminder_schedules s where s.account_id = n.account_id) as "emailedOn",
      max(n.owner_emailed_on) as "warnedOn",
      case when n.owner_email_key is null then (select min(o.owner_email_at) from notices o
        where o.account_id = n.account_id and o.owner_email_at is not null and o.owner_email_key is not null) end as "triedAt"
    from notices n where n.account_id = ${accountId} and n.owner_email_at <= ${now}
    group by n.account_id, n.owner_email_key order by n.owner_email_key is null, min(n.warned_at) limit 1`
}

/** An email that is sent now. */
export interface Email {
  accountId: number
  ids: readonly number[]
  /** Those of them that the email lists or counts. */
  riskIds: readonly number[]
  key: string
}

const BegunRow = z.object({ isBegun: z.boolean() })

/**
 * Records the email that warnings may be in from now on, and its day, before it is sent: it may be sent and nobody learn of
 * it, and notice may be given before it is sent again. The account's schedule has the day too, as windows go where no notice is
 * due any more; it is locked first, as planning does. False where another process sends it, or its warnings have changed.
 */
export async function begin(
  write: Write,
  { accountId, ids, riskIds, key }: Email,
  { now, today }: { now: Date; today: Day },
): Promise<boolean> {
  await lockSchedule(write, accountId)
  const statement = sql`
    with due as (
      select id from notices where account_id = ${accountId} and id = any(${[...ids]}::int[]) and owner_email_at <= ${now}
      for update),
    begun as (
      update notices n set owner_email_key = ${key}, owner_email_at = ${new Date(now.getTime() + LEASE_MS)},
        owner_emailed_on = case when n.id = any(${[...riskIds]}::int[]) then ${today}::date else n.owner_emailed_on end
      from due where n.account_id = ${accountId} and n.id = due.id and (select count(*) from due) = ${ids.length} returning n.id),
    counted as (
      update reminder_schedules set owner_emailed_on = ${today} where account_id = ${accountId} and exists (select from begun))
    select exists (select from begun) as "isBegun"`
  const [row] = await write(statement, BegunRow)
  return row?.isBegun === true
}

/** Restores what was stored before an email that was certainly not sent. */
export async function undoBegin(
  write: Write,
  { accountId, ids, riskIds, key }: Email,
  before: PendingRow,
): Promise<void> {
  await lockSchedule(write, accountId)
  await write(sql`
    with unsent as (
      update notices set owner_email_key = ${before.key},
        owner_emailed_on = case when id = any(${[...riskIds]}::int[]) then ${before.warnedOn}::date else owner_emailed_on end
      where account_id = ${accountId} and id = any(${[...ids]}::int[]) and owner_email_key = ${key} returning id)
    update reminder_schedules set owner_emailed_on = ${before.emailedOn}::date
    where account_id = ${accountId} and exists (select from unsent)`)
}
