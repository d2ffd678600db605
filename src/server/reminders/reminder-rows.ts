import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'

/** The columns of a ReminderRow, from reminders `r`. */
export const REMINDER_COLUMNS = sql`
  r.id, r.contract_id as "contractId", r.customer_name as "customerName", r.renewal_date as "renewalDate", r.kind,
  r.offset_days as "offset", r.due_on as day, r.recipient, r.channel, r.state, r.reason, r.address, r.subject, r.body,
  r.answer, r.attempts, r.repeats, r.planned_at as "plannedAt", r.sent_at as "sentAt", r.ended_at as "endedAt",
  r.delivered_at as "deliveredAt", r.bounced_at as "bouncedAt",
  case when r.state = 'planned' then r.waits_for end as "waitsFor",
  case when r.state = 'planned' and r.waits_for is not null then r.next_attempt_at end as "waitsUntil"`

/** Whether mail to an address came back, and its owner has not said since that it works again. */
export function hasBounced(accountId: Sql, address: Sql): Sql {
  return sql`exists (
    select from bounced_addresses b
    where b.account_id = ${accountId} and b.address = lower(${address}) and b.cleared_at is null)`
}

/** When the reminder that waits to be sent to the customer of contract `k` goes out, where one was planned by hand. */
export const MANUAL_GOES_OUT_AT = sql`(
  select min(r.next_attempt_at) from reminders r where r.account_id = k.account_id and r.contract_id = k.id
    and r.kind = 'manual' and r.state = 'planned')`

/** Whether the customer of contract `k` was written to on that day, by hand or not. */
export function wasRemindedOn(day: Day): Sql {
  return sql`exists (
    select from reminders r where r.account_id = k.account_id and r.contract_id = k.id
      and r.recipient = 'customer' and r.sent_on = ${day})`
}
