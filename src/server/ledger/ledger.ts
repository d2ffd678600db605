import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import type { MailLimit } from '#shared/domain/mail-limits.ts'
import { reasonWhenReplaced, WAITING_STATES, type UNSENT_STATES } from '#shared/domain/reminder-delivery.ts'
import { LEASE_MS, MOST_WHILE_DUE_MS } from '#shared/domain/reminder-waits.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { AccountStatement, Write } from '#server/db/database.ts'
import type { WrittenNotification } from '#server/notifications/texts.ts'
import { ReminderEntity } from './reminder.entity.ts'

// Every statement that changes the table `reminders` is in this folder: here what the sender does, in planning.ts what
// the planner does, in requests.ts what owners, the operator and the mail provider ask for, in terms.ts what decisions
// about contracts lead to. Only archives add rows by themselves, which are sent, skipped or failed. A row's states:
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

/** The account's time of a change. */
export interface Moment {
  accountId: number
  now: Date
  /** The account's calendar day. */
  today: Day
}

export type AccountMoment = Pick<Moment, 'accountId' | 'now'>

/** A condition on rows `r`: they remind of a contract, rather than tell of a renewal or an answer. */
export const IS_REMINDER = raw(`r.kind in ('reminder', 'follow_up', 'manual')`)

const ENDED = columnsOf(ReminderEntity, 'r', ['kind', 'recipient', 'customerName', 'state', 'reason', 'answer'])
/** A row that was skipped or failed, which is not retried automatically. */
export const Ended = z.object(ENDED.fields)
export type Ended = z.output<typeof Ended>

/** A condition on rows `r`, spelled out because only then PostgreSQL uses the index of waiting rows. */
export const IS_WAITING = raw(`r.state in (${WAITING_STATES.map((state) => `'${state}'`).join(', ')})`)
/** A condition on rows `r` being sent: their lease or retry time was set while the clock was wrong. */
export function isSendingTooLong(now: Date): Sql {
  return sql`r.state = 'sending' and r.next_attempt_at > ${later(now, MOST_WHILE_DUE_MS)}`
}

export const REPLACED = columnsOf(ReminderEntity, 'r', ['id', 'waitsFor'])
/** A planned row that a newer message to its reader replaces. */
export const Replaced = z.object(REPLACED.fields)
type Replaced = z.output<typeof Replaced>

/** Statements that skip rows replaced by newer messages, one for each reason. */
export function endingsOf<At extends Pick<Moment, 'accountId' | 'now'>>(
  rows: readonly Replaced[],
  at: At,
): (At & AccountStatement)[] {
  const byReason = Map.groupBy(rows, reasonWhenReplaced)
  return [...byReason].map(([reason, group]) => {
    const ids = group.map(({ id }) => id)
    return { ...at, statement: ending({ ...at, ids }, { state: 'skipped', reason, now: at.now }) }
  })
}

/** Rows that a process is sending. No other may change them until the lease ends. */
export interface Claim extends Batch {
  sendingAt: Date
}

/** What the ledger stores about an email. */
export interface SentMessage {
  address: string
  subject: string
  body: string
  messageId: string
}

/** Planned to sending, before the mail server is asked; or sending again, if the last try has no result. */
export async function markSending(
  write: Write,
  { accountId, ids, sendingAt }: Claim,
  { message, isRepeat }: { message: SentMessage; isRepeat: boolean },
): Promise<void> {
  const { address, subject, body, messageId } = message
  await write(sql`
    update reminders set state = 'sending', sending_at = ${sendingAt}, next_attempt_at = ${leaseFrom(sendingAt)},
      attempts = attempts + 1, repeats = repeats + ${Number(isRepeat)}, waits_for = null,
      address = ${address}, subject = ${subject}, body = ${body}, message_id = ${messageId}
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[])`)
}

/** Stays sending: extends the lease. */
export async function extendLease(write: Write, claim: Claim, now: Date): Promise<void> {
  await write(sql`update reminders set next_attempt_at = ${leaseFrom(now)} where ${stillClaimed(claim)}`)
}

/** Sending to sent: the mail server has accepted it. */
export async function markSent(write: Write, claim: Claim, { now, today }: Pick<Moment, 'now' | 'today'>) {
  await write(sql`
    update reminders set state = 'sent', sent_at = ${now}, sent_on = ${today}, next_attempt_at = null, answer = null
    where ${stillClaimed(claim)}`)
}

/** Sending to planned, to be retried; stays sending if it may have been sent. */
export async function retryLater(
  write: Write,
  claim: Claim,
  { at, answer, isUnsent }: { at: Date; answer: string; isUnsent: boolean },
): Promise<void> {
  await write(sql`
    update reminders set state = ${isUnsent ? 'planned' : 'sending'}, answer = ${answer}, next_attempt_at = ${at}
    where ${stillClaimed(claim)}`)
}

/** The recipient of an email of reminders `r`. */
export const ADDRESSED = columnsOf(ReminderEntity, 'r', [
  'accountId',
  'recipient',
  'customerId',
  'customerName',
  'answer',
])
export const Addressed = z.object({ ...ADDRESSED.fields, address: z.string() })
export type Addressed = z.output<typeof Addressed>

/** Sending to failed: the mail server refused it permanently. */
export async function markFailed(
  write: Write,
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
  write: Write,
  { accountId, now, today, id }: Moment & { id: number },
  { title, message }: WrittenNotification,
): Promise<void> {
  await write(sql`
    update reminders set state = 'sent', sent_at = ${now}, sent_on = ${today}, next_attempt_at = null,
      subject = ${title}, body = ${message}
    where account_id = ${accountId} and id = ${id}`)
}

/** Planned to skipped; sending to failed if nobody knows whether it was sent and it is not sent again. */
export async function end(write: Write, batch: Batch, how: Ending): Promise<Ended[]> {
  return write(ending(batch, how), Ended)
}

interface Ending {
  state: (typeof UNSENT_STATES)[number]
  reason: ReminderReason
  now: Date
}

function ending({ accountId, ids }: Batch, { state, reason, now }: Ending): Sql {
  return sql`
    update reminders r set state = ${state}, reason = ${reason}, ended_at = ${now}, next_attempt_at = null
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[]) returning ${ENDED}`
}

/** Planned to skipped: newer messages to the same reader replace these. */
export async function endReplaced(
  write: Write,
  rows: readonly Replaced[],
  when: Pick<Moment, 'accountId' | 'now'>,
): Promise<void> {
  for (const { statement } of endingsOf(rows, when)) await write(statement)
}

/** Planned and sending stay, to be retried later; `limit` is what they wait for. */
export async function postpone(
  write: Write,
  { accountId, ids }: Batch,
  { until, limit }: { until: Date; limit?: MailLimit },
): Promise<void> {
  await write(sql`
    update reminders set next_attempt_at = ${until}, waits_for = coalesce(${limit ?? null}, waits_for)
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[])`)
}

/** Matches nothing if another process has claimed the rows since. */
function stillClaimed({ ids, accountId, sendingAt }: Claim): Sql {
  return sql`account_id = ${accountId} and id = any(${[...ids]}::bigint[]) and state = 'sending' and sending_at = ${sendingAt}`
}

function leaseFrom(now: Date): Date {
  return later(now, LEASE_MS)
}

export function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}
