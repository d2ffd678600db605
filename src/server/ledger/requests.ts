import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { isHeldUp, isReplacedOn } from '#shared/domain/reminder-delivery.ts'
import { DEFAULT_HOUR } from '#shared/domain/reminder-preferences.ts'
import type { ReminderState } from '#shared/schemas/filters.ts'
import type { MessageKey } from '#shared/schemas/reminders.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { ADDRESSED, Addressed, endReplaced, IS_REMINDER } from './ledger.ts'
import type { AccountMoment, Batch, Moment } from './ledger.ts'
import { ReminderEntity } from './reminder.entity.ts'

// What owners, the operator, and the mail provider change in the ledger. For its states see ledger.ts.

/** A message that an owner decides about, whether or not it is in the ledger. */
export interface Requested extends MessageKey {
  termNumber: number
  customerId: number
  customerName: string
  /** Of a contact that is not the first. */
  contactName: string | null
  day: Day
  /** The states it may be in before. */
  from: ReminderState[]
}

/**
 * New, planned, failed, or skipped to planned, to be sent at an instant. Returns its ID; undefined if it is in none of the
 * expected states.
 */
export function planByHand(write: Write, requested: Requested, { at, ...when }: AccountMoment & { at: Date }) {
  return putOne(write, requested, { ...when, state: 'planned', at, reason: null })
}

/** The same for messages about many contracts. Returns the contracts with a message that was planned. */
export async function planManyByHand(
  write: Write,
  requested: readonly Requested[],
  { at, ...when }: AccountMoment & { at: Date },
): Promise<Set<number>> {
  const planned = await putByHand(write, requested, { ...when, state: 'planned', at, reason: null })
  return new Set(planned.map(({ contractId }) => contractId))
}

/** New or planned to skipped. Returns its ID; undefined if it is in none of the expected states. */
export function skipByHand(write: Write, requested: Requested, when: AccountMoment): Promise<number | undefined> {
  return putOne(write, requested, { ...when, state: 'skipped', at: null, reason: 'by_hand' })
}

interface ByHand extends AccountMoment {
  state: 'planned' | 'skipped'
  at: Date | null
  reason: 'by_hand' | null
}

const PUT = columnsOf(ReminderEntity, 'r', ['id'])
const PutRow = z.object({ ...PUT.fields, contractId: z.int() })

async function putOne(write: Write, requested: Requested, put: ByHand): Promise<number | undefined> {
  const [row] = await putByHand(write, [requested], put)
  return row?.id
}

/** All have to expect the same states. */
function putByHand(write: Write, requested: readonly Requested[], put: ByHand): Promise<z.output<typeof PutRow>[]> {
  const { accountId, now, state, at, reason } = put
  const statement = sql`
    insert into reminders as r (account_id, contract_id, customer_id, customer_name, renewal_date, term_number, kind, offset_days,
      due_on, recipient, contact_id, contact_name, channel, state, reason, planned_at, next_attempt_at, ended_at)
    select ${accountId}, n."contractId", n."customerId", n."customerName", n."renewalDate", n."termNumber", n.kind, n."offset",
      n.day, n.recipient, n."contactId", n."contactName", n.channel, ${state}, ${reason}::text, ${now}::timestamptz,
      ${at}::timestamptz, ${state === 'skipped' ? now : null}::timestamptz
    from json_to_recordset(${JSON.stringify(requested)}::json) as n("contractId" int, "customerId" int, "customerName" text,
      "renewalDate" date, "termNumber" int, kind text, "offset" int, day date, recipient text, "contactId" int,
      "contactName" text, channel text)
    on conflict (account_id, contract_id, renewal_date, term_number, kind, offset_days, recipient, channel, contact_id) do update
      set state = excluded.state, reason = excluded.reason, due_on = excluded.due_on,
        planned_at = case when r.kind = 'manual' then excluded.planned_at else r.planned_at end,
        repeats = greatest(r.repeats, (r.reason is not distinct from 'unknown')::int),
        next_attempt_at = excluded.next_attempt_at, ended_at = excluded.ended_at, waits_for = null
      where r.state = any(${requested[0]?.from ?? []}::text[])
    returning ${PUT}, r.contract_id as "contractId"`
  return write(statement, PutRow)
}

const PLANNED = columnsOf(ReminderEntity, 'r', ['id', 'recipient', 'channel', 'waitsFor'])
const { fields } = columnsOf(ReminderEntity, 'r', ['dueOn'])
const PlannedRow = z.object({ ...PLANNED.fields, day: fields.dueOn })

/** Planned to skipped: messages to the same reader that a snoozed one replaces on its new day. */
export async function skipReplaced(
  write: Write,
  { accountId, ids }: Batch,
  { key, day, now }: { key: Omit<MessageKey, 'kind' | 'offset'>; day: Day; now: Date },
): Promise<void> {
  const others = sql`
    select ${PLANNED}, r.due_on as day from reminders r
    where account_id = ${accountId} and contract_id = ${key.contractId} and renewal_date = ${key.renewalDate}
      and recipient = ${key.recipient} and contact_id = ${key.contactId} and channel = ${key.channel} and state = 'planned'
      and ${IS_REMINDER} and id <> all(${[...ids]}::bigint[]) order by r.id for update`
  const replaced = (await write(others, PlannedRow)).filter((other) => isReplacedOn(day, other))
  await endReplaced(write, replaced, { accountId, now })
}

/**
 * Undoes a skip by hand: removes the row if skipping added it and its day has not come, otherwise plans it again. False if
 * it was not skipped by hand.
 */
export async function undoSkip(
  write: Write,
  key: MessageKey,
  { accountId, today, at }: Pick<Moment, 'accountId' | 'today'> & { at: Date },
): Promise<boolean> {
  const skipped = sql`account_id = ${accountId} and contract_id = ${key.contractId}
    and renewal_date = ${key.renewalDate} and kind = ${key.kind} and offset_days = ${key.offset}
    and recipient = ${key.recipient} and contact_id = ${key.contactId} and channel = ${key.channel} and state = 'skipped' and reason = 'by_hand'`
  const [removed] = await write(sql`
    delete from reminders where ${skipped} and kind in ('reminder', 'follow_up') and planned_at = ended_at and due_on >= ${today}
    returning id`)
  if (removed) return true
  const [planned] = await write(sql`
    update reminders set state = 'planned', reason = null, ended_at = null, next_attempt_at = ${at} where ${skipped}
    returning id`)
  return planned !== undefined
}

const UndoneRow = z.object({ isUndone: z.boolean() })

/**
 * Planned to skipped: undoes the reminder by hand that has not been sent yet, and plans again what was skipped because of
 * it. False if none was planned; undefined if there is no such contract.
 */
export async function undoManual(write: Write, contractId: number, { accountId, now }: AccountMoment) {
  const statement = sql`
    with undone as (
      update reminders set state = 'skipped', reason = 'by_hand', ended_at = ${now}, next_attempt_at = null
      where account_id = ${accountId} and contract_id = ${contractId} and kind = 'manual' and state = 'planned'
      returning renewal_date, planned_at),
    resumed as (
      update reminders r set state = 'planned', reason = null, ended_at = null, next_attempt_at = ${now} from undone
      where r.account_id = ${accountId} and r.contract_id = ${contractId} and r.renewal_date = undone.renewal_date
        and r.recipient = 'customer' and r.state = 'skipped' and r.reason = 'manual'
        and r.ended_at >= undone.planned_at)
    select exists (select from undone) as "isUndone"
    from contracts where account_id = ${accountId} and id = ${contractId}`
  const [contract] = await write(statement, UndoneRow)
  return contract?.isUndone
}

const HoursRow = PlannedRow.extend({ hour: z.int(), timeZone: z.string() })

/**
 * Stays planned, to be tried now: messages that waited for the company name or the end of a mail stop.
 */
export async function resumeHeldUp(write: Write, { accountId, now }: AccountMoment): Promise<void> {
  const planned = sql`
    select ${PLANNED}, r.due_on as day, coalesce(p.hour, ${DEFAULT_HOUR}) as hour,
      coalesce(a.time_zone, 'UTC') as "timeZone"
    from reminders r join accounts a on a.id = r.account_id left join reminder_preferences p on p.account_id = a.id
    where r.account_id = ${accountId} and r.state = 'planned' order by r.id for update of r`
  const rows = await write(planned, HoursRow)
  const ids = rows.filter((row) => isHeldUp(row, now, row)).map(({ id }) => id)
  await write(sql`
    update reminders set next_attempt_at = ${now} where account_id = ${accountId} and id = any(${ids}::bigint[])`)
}

/** The rows of one email. */
export interface Email {
  accountId: number
  messageId: string
}

/** Sent to delivered: the reader's mail server has accepted it. Returns the recipient; undefined if nothing changed. */
export async function markDelivered(write: Write, email: Email, now: Date): Promise<Addressed | undefined> {
  const statement = sql`
    update reminders r set state = 'delivered', delivered_at = ${now} where ${rowsOf(email)} and state = 'sent'
    returning ${ADDRESSED}, coalesce(r.address, '') as address`
  const [delivered] = await write(statement, Addressed)
  return delivered
}

/**
 * Sending, sent, delivered, or failed to bounced: it was reported, so it was sent, even if the sender does not know. Rows
 * planned again or skipped since stay as they are. Returns the recipient.
 */
export async function markBounced(
  write: Write,
  email: Email,
  { answer, now }: { answer: string | null; now: Date },
): Promise<Addressed | undefined> {
  const statement = sql`
    with bounced as (
      update reminders r set state = 'bounced', bounced_at = ${now}, answer = ${answer}, reason = null, ended_at = null,
        next_attempt_at = null
      where ${rowsOf(email)} and state in ('sending', 'sent', 'delivered', 'failed')
      returning ${ADDRESSED}, coalesce(r.address, '') as address)
    select * from bounced
    union all select ${ADDRESSED}, coalesce(r.address, '') from reminders r where ${rowsOf(email)} and state in ('planned', 'skipped')`
  const [addressed] = await write(statement, Addressed)
  return addressed
}

/** Removes planned rows: the account is being deleted. */
export async function withdraw(write: Write, accountId: number): Promise<void> {
  await write(sql`delete from reminders where account_id = ${accountId} and state = 'planned'`)
}

function rowsOf({ accountId, messageId }: Email): Sql {
  return sql`account_id = ${accountId} and message_id = ${messageId}`
}
