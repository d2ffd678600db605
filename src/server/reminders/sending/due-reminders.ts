import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { columnsOf, instant } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { isSendingTooLong, IS_WAITING, type Batch } from '#server/ledger/ledger.ts'

const STORED = columnsOf(ReminderEntity, 'r', [
  'id',
  'contractId',
  'renewalDate',
  'termNumber',
  'kind',
  'recipient',
  'contactId',
  'channel',
  'repeats',
  'attempts',
  'plannedAt',
  'messageId',
  'address',
  'waitsFor',
])
const { fields } = columnsOf(ReminderEntity, 'r', ['id', 'kind', 'offsetDays', 'dueOn', 'state'])
const IdRow = z.object({ id: fields.id })

/** A row that nobody else can change until the transaction ends. */
const DueReminder = z.object({
  ...STORED.fields,
  offset: fields.offsetDays,
  day: fields.dueOn,
  isInterrupted: z.boolean(),
  others: z.array(
    z.object({
      kind: fields.kind,
      day: fields.dueOn,
      state: fields.state,
      sentAt: instant.nullable(),
      sentOn: fields.dueOn.nullable(),
      plannedAt: instant,
      nextAttemptAt: instant.nullable(),
    }),
  ),
})
export type DueReminder = z.output<typeof DueReminder>

/** More would be too long to read; the rest go into another email. */
export const MOST_IN_A_MAIL = 100

/** A message whose sending began while the clock was ahead waits for its day, if that has not come yet. */
function isTime(now: Date): Sql {
  return sql`${IS_WAITING} and (r.next_attempt_at <= ${now} or ${isSendingTooLong(now)}
    and r.due_on <= (select (${now}::timestamptz at time zone coalesce(a.time_zone, 'UTC'))::date
      from accounts a where a.id = r.account_id))`
}

/**
 * Locks the rows of the batch and those that share an email with one of them: what else is due to its reader, or what
 * was in the same email before. Anyone else who wants one of these rows waits until the transaction ends.
 */
export async function lockDue(write: Write, batch: Batch, now: Date): Promise<DueReminder[]> {
  const { accountId } = batch
  await write(sql`select pg_advisory_xact_lock(hashtextextended('mail of ' || ${accountId}::int, 0))`)
  const found = await write(companions(batch, now), IdRow)
  const ids = found.map(({ id }) => id)
  const statement = sql`
    select ${STORED}, r.offset_days as "offset", r.due_on as day, r.state = 'sending' as "isInterrupted",
      (select coalesce(json_agg(json_build_object('kind', n.kind, 'day', n.due_on, 'state', n.state, 'sentOn', n.sent_on,
          'sentAt', n.sent_at, 'plannedAt', n.planned_at, 'nextAttemptAt', n.next_attempt_at)), '[]')
        from reminders n where n.account_id = r.account_id and n.contract_id = r.contract_id
          and n.renewal_date = r.renewal_date and n.term_number = r.term_number
          and n.recipient = r.recipient and n.contact_id = r.contact_id and n.channel = r.channel) as others
    from reminders r where r.account_id = ${accountId} and r.id = any(${ids}::bigint[]) and ${isTime(now)}
    order by r.id for update of r skip locked`
  return write(statement, DueReminder)
}

/**
 * What may share an email: messages sent by hand with each other, and the others with each other. One that may have been
 * sent stays as it was.
 */
const IS_SHARED = raw(`r.channel = 'email' and r.state = 'planned' and r.repeats = 0`)

// Materialized: until the tables are first analyzed, the planner would look up the customers once for each contract.
function companions({ accountId, ids }: Batch, now: Date): Sql {
  return sql`
    with asked as materialized (
      select r.* from reminders r where r.account_id = ${accountId} and r.id = any(${[...ids]}::bigint[]) and ${isTime(now)}
    ), to_customers as materialized (
      select distinct case r.contact_id when 0 then c.email_key else x.email_key end as email_key,
        r.kind = 'manual' as by_hand from asked r
        join contracts k on k.account_id = r.account_id and k.id = r.contract_id
        join customers c on c.account_id = k.account_id and c.id = k.customer_id
        left join customer_contacts x on x.account_id = k.account_id and x.customer_id = c.id and x.id = r.contact_id
      where ${IS_SHARED} and r.recipient = 'customer')
    select id::float8 as id from asked
    union (select r.id::float8 from reminders r
      where exists (select from asked r where ${IS_SHARED} and r.recipient = 'owner')
        and r.account_id = ${accountId} and ${IS_SHARED} and r.recipient = 'owner' and r.next_attempt_at <= ${now}
      order by r.id limit ${MOST_IN_A_MAIL})
    union select r.id::float8 from to_customers t
      join customers c on c.account_id = ${accountId} and c.email_key = t.email_key
      join contracts k on k.account_id = c.account_id and k.customer_id = c.id
      join reminders r on r.account_id = k.account_id and r.contract_id = k.id
      where ${IS_SHARED} and r.recipient = 'customer' and (r.kind = 'manual') = t.by_hand and r.contact_id = 0 and r.next_attempt_at <= ${now}
    union select r.id::float8 from to_customers t
      join customer_contacts x on x.account_id = ${accountId} and x.email_key = t.email_key
      join contracts k on k.account_id = x.account_id and k.customer_id = x.customer_id
      join reminders r on r.account_id = k.account_id and r.contract_id = k.id
      where ${IS_SHARED} and r.recipient = 'customer' and (r.kind = 'manual') = t.by_hand and r.contact_id = x.id and r.next_attempt_at <= ${now}
    union select r.id::float8 from asked a join reminders r on r.account_id = a.account_id and r.message_id = a.message_id
      where r.state = a.state and (a.state = 'sending' or a.repeats > 0)`
}
