import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import type { MailLimit } from '#shared/domain/mail-limits.ts'
import { WAITING_STATES } from '#shared/domain/reminder-delivery.ts'
import type { Line, PastMessage } from '#shared/domain/reminder-plan.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read, WriteEach } from '#server/db/database.ts'
import { notificationsFrom, type NewNotification } from '#server/notifications/notify.ts'
import { ReminderEntity } from './reminder.entity.ts'

// Every statement that changes the table `reminders` is here or in ledger-requests.ts: here what the planner and the
// sender do, there what owners, the operator and the mail provider ask for. A row's states:
//
//   planned ─┬─> sending ─┬─> sent ──> delivered
//            │    │  ^    │     └────────┴─────> bounced
//            │    └──┘    └─> failed
//            └─> skipped
//
// A message in the app goes from planned to sent. What failed or was skipped can be planned again by hand.

/** Rows of one account. */
export interface Batch {
  accountId: number
  ids: readonly number[]
}

/** A message that the planner has decided about. */
export interface NewReminder extends Line {
  contractId: number
  customerId: number
  customerName: string
  renewalDate: Day
  kind: PastMessage['kind']
  offset: number
  /** When it falls due. */
  day: Day
  state: 'planned' | 'sent' | 'skipped'
  /** Why it was skipped. */
  reason: ReminderReason | null
  /** What the owner reads in the app; with it the message is sent. */
  notice?: Required<NewNotification> | undefined
}

/** When, for an account, something changes. */
export interface Moment {
  accountId: number
  now: Date
  /** The account's calendar day. */
  today: Day
}

const ENDED = columnsOf(ReminderEntity, 'r', ['kind', 'recipient', 'customerName', 'state', 'reason', 'answer'])
/** A row that was skipped or failed: nobody tries it again by itself. */
const Ended = z.object(ENDED.fields)
export type Ended = z.output<typeof Ended>

/** Of rows `r`; spelled out, since only then the index of waiting rows is used. */
export const IS_WAITING = raw(`r.state in (${WAITING_STATES.map((state) => `'${state}'`).join(', ')})`)
/** A lease or a wait for another try that seems to be this long is of a clock that was ahead: no real one is. */
export const NO_WAIT_IS = raw(`interval '2 hours'`)

/**
 * Nothing to planned, sent or skipped: adds what accounts do not have yet, with the notifications of what is sent that
 * way. A planned message that a newer one to its reader overtakes is skipped; answers those, for each account.
 */
export async function add(
  write: WriteEach,
  additions: readonly (Moment & { rows: readonly NewReminder[] })[],
): Promise<Ended[][]> {
  const asked = additions.map((one) => ({ accountId: one.accountId, statement: addition(one) }))
  return write(asked, Ended)
}

/** Written so that the planner does not take the index of all accounts' planned rows for a short one. */
const IS_PLANNED = raw(`r.state || '' = 'planned'`)

const NOTICES = sql`
  added join due using ("contractId", "renewalDate", kind, "offset", recipient, channel)
  where added.state = 'sent' order by day, "contractId"`

function addition({ accountId, now, today, rows }: Moment & { rows: readonly NewReminder[] }): Sql {
  const flat = rows.map(({ notice, ...row }) => ({ ...row, ...notice, action_url: notice?.actionUrl }))
  const contractIds = [...new Set(rows.map(({ contractId }) => contractId))]
  return sql`
    with due as (
      select * from json_to_recordset(${JSON.stringify(flat)}::json) as d("contractId" int, "customerId" int,
        "customerName" text, "renewalDate" date, kind text, "offset" int, day date, recipient text, channel text,
        state text, reason text, title text, message text, type text, action_url text)
    ), added as (
      insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days,
        due_on, recipient, channel, state, reason, subject, body, planned_at, next_attempt_at, sent_at, sent_on, ended_at)
      select ${accountId}, "contractId", "customerId", "customerName", "renewalDate", kind, "offset", day, recipient,
        channel, state, reason, title, message, ${now}::timestamptz,
        case state when 'planned' then ${now}::timestamptz end, case state when 'sent' then ${now}::timestamptz end,
        case state when 'sent' then ${today}::date end, case state when 'skipped' then ${now}::timestamptz end
      from due order by "contractId", day
      on conflict (account_id, contract_id, renewal_date, kind, offset_days, recipient, channel) do nothing
      returning contract_id as "contractId", renewal_date as "renewalDate", kind, offset_days as "offset", recipient,
        channel, state
    ), notified as (${notificationsFrom(NOTICES, { accountId, now })}
    ), overtaken as (
      update reminders r set state = 'skipped', ended_at = ${now}::timestamptz, next_attempt_at = null,
        reason = case when r.waits_for is null then 'superseded' else 'limited' end
      from added where r.account_id = ${accountId} and r.contract_id = any(${contractIds}::int[])
        and r.contract_id = added."contractId" and ${IS_PLANNED}
        and r.recipient = added.recipient and r.channel = added.channel and added.state in ('planned', 'sent')
      returning ${ENDED})
    select * from overtaken`
}

/**
 * Planned and sending stay, and are tried now: what is due and waits longer than anything does was planned, sent or
 * limited by a clock that was ahead.
 */
export async function endLongWaits(write: WriteEach, moments: readonly Moment[]): Promise<void> {
  await write(
    moments.map(({ accountId, now, today }) => ({
      accountId,
      statement: sql`
        update reminders r set next_attempt_at = ${now}
        where account_id = ${accountId} and ${IS_WAITING} and due_on <= ${today}
          and next_attempt_at > ${now}::timestamptz
            + case when waits_for is null then interval '1 day' else interval '2 days' end`,
    })),
  )
}

/** After this long without a word nobody is believed to be at sending a message any more. */
export const LEASE_MS = 5 * 60_000

/** Rows that somebody is sending, who alone may change them until the lease ends. */
export interface Claim extends Batch {
  sendingAt: Date
}

/** What is sent, for the ledger. */
export interface SentMessage {
  address: string
  subject: string
  body: string
  messageId: string
}

/** Planned to sending, before the mail server hears of it; or sending again, where nobody knows how the last try ended. */
export async function markSending(
  write: Read,
  { accountId, ids, sendingAt }: Claim,
  { message, isRepeat }: { message: SentMessage; isRepeat: boolean },
): Promise<void> {
  const { address, subject, body, messageId } = message
  await write(sql`
    update reminders set state = 'sending', sending_at = ${sendingAt}, next_attempt_at = ${leaseFrom(sendingAt)},
      attempts = attempts + 1, repeats = repeats + ${Number(isRepeat)}, waits_for = null,
      address = ${address}, subject = ${subject}, body = ${body}, message_id = ${messageId}
    where account_id = ${accountId} and id = any(${[...ids]}::int[])`)
}

/** Sending stays: its lease ends later. */
export async function extendLease(write: Read, claim: Claim, now: Date): Promise<void> {
  await write(sql`update reminders set next_attempt_at = ${leaseFrom(now)} where ${stillClaimed(claim)}`)
}

/** Sending to sent: the mail server has taken it. */
export async function markSent(write: Read, claim: Claim, { now, today }: Pick<Moment, 'now' | 'today'>) {
  await write(sql`
    update reminders set state = 'sent', sent_at = ${now}, sent_on = ${today}, next_attempt_at = null, answer = null
    where ${stillClaimed(claim)}`)
}

/** Sending to planned, to be tried again; stays sending where it may have been sent. */
export async function retryLater(
  write: Read,
  claim: Claim,
  { at, answer, isUnsent }: { at: Date; answer: string; isUnsent: boolean },
): Promise<void> {
  await write(sql`
    update reminders set state = ${isUnsent ? 'planned' : 'sending'}, answer = ${answer}, next_attempt_at = ${at}
    where ${stillClaimed(claim)}`)
}

/** Of reminders `r`: who an email went to. */
export const ADDRESSED = columnsOf(ReminderEntity, 'r', [
  'accountId',
  'recipient',
  'customerId',
  'customerName',
  'answer',
])
export const Addressed = z.object({ ...ADDRESSED.fields, address: z.string() })
export type Addressed = z.output<typeof Addressed>

/** Sending to failed: the mail server does not take it, and it is not tried again. */
export async function markFailed(
  write: Read,
  claim: Claim,
  { reason, answer, now }: { reason: ReminderReason; answer: string; now: Date },
): Promise<(Ended & Addressed)[]> {
  const statement = sql`
    update reminders r set state = 'failed', reason = ${reason}, answer = ${answer}, ended_at = ${now},
      next_attempt_at = null
    where ${stillClaimed(claim)}
    returning ${ENDED}, ${ADDRESSED}, coalesce(r.address, '') as address`
  return write(statement, Addressed.extend(Ended.shape))
}

/** Planned to sent: the owner has it in the app. */
export async function markShown(
  write: Read,
  { accountId, now, today, id }: Moment & { id: number },
  { title, message }: NewNotification,
): Promise<void> {
  await write(sql`
    update reminders set state = 'sent', sent_at = ${now}, sent_on = ${today}, next_attempt_at = null,
      subject = ${title}, body = ${message}
    where account_id = ${accountId} and id = ${id}`)
}

/** Planned to skipped; sending to failed, where nobody knows whether it was sent and it is not sent again. */
export async function end(
  write: Read,
  { accountId, ids }: Batch,
  { state, reason, now }: { state: 'skipped' | 'failed'; reason: ReminderReason; now: Date },
): Promise<Ended[]> {
  const statement = sql`
    update reminders r set state = ${state}, reason = ${reason}, ended_at = ${now}, next_attempt_at = null
    where account_id = ${accountId} and id = any(${[...ids]}::int[]) returning ${ENDED}`
  return write(statement, Ended)
}

/** Planned and sending stay, and are looked at again later; `limit` is what they wait for. */
export async function postpone(
  write: Read,
  { accountId, ids }: Batch,
  { until, limit }: { until: Date; limit?: MailLimit },
): Promise<void> {
  await write(sql`
    update reminders set next_attempt_at = ${until}, waits_for = coalesce(${limit ?? null}, waits_for)
    where account_id = ${accountId} and id = any(${[...ids]}::int[])`)
}

/** Where somebody else found the rows left behind and claimed them, they are theirs, and this matches none. */
function stillClaimed({ ids, accountId, sendingAt }: Claim): Sql {
  return sql`account_id = ${accountId} and id = any(${[...ids]}::int[]) and state = 'sending' and sending_at = ${sendingAt}`
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}
