import sql from 'sql-template-tag'
import { z } from 'zod'
import { isPaying } from '#shared/domain/access.ts'
import { COMPLAINT_DAYS, isOverComplaintRate, type ComplaintCount } from '#shared/domain/complaint-rate.ts'
import { AppError } from '#shared/errors.ts'
import type { Report, ReportReason } from '#shared/schemas/reports.ts'
import type { RequestContext, SystemContext } from '#server/context.ts'
import type { Read, Write } from '#server/db/database.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { notify } from '#server/notifications/notify.ts'
import { logOfMail } from '#server/security/security-log.ts'
import type { ComplaintSource } from './deliverability.entity.ts'
import { actorOf, readReader, type Reader } from './reader-keys.ts'
import { closeAddress } from './unsubscribe.service.ts'

/** A reader and the message whose link they opened. */
export interface Reported extends Reader {
  message: NonNullable<Reader['message']>
}

/** The message that a report link refers to. Changes nothing. @throws UNSUBSCRIBE_NOT_FOUND */
export async function getReported(ctx: Pick<RequestContext, 'db'>, token: string): Promise<Reported> {
  const { message, ...reader } = await readReader(ctx, token)
  if (!message) throw new AppError('UNSUBSCRIBE_NOT_FOUND')
  return { ...reader, message }
}

/**
 * Records a reader's complaint about a message and closes their address. Too many complaints pause the account's mail.
 * Repeating it changes nothing. @throws UNSUBSCRIBE_NOT_FOUND
 */
export async function reportMessage(
  ctx: SystemContext & Pick<RequestContext, 'log'>,
  token: string,
  { reason }: Report,
): Promise<Reported> {
  const reported = await getReported(ctx, token)
  const { accountId, address, message } = reported
  const complaint: Complaint = { accountId, reminderId: message.id, address, source: 'report', reason }
  const actor = actorOf(reported)
  const stop = await ctx.db
    .as(actor)
    .writeAs(accountId, (_em, write) => recordComplaint(write, complaint, ctx.services))
  logOfMail(ctx.log, 'message.reported', { actor, account: accountId, id: message.id, reason })
  if (stop) logOfMail(ctx.log, 'mail.stopped', { actor, account: accountId, ...stop })
  return { ...reported, closed: 'complained' }
}

export interface Complaint {
  accountId: number
  reminderId: number
  address: string
  source: ComplaintSource
  /** Null if the mail provider reported it. */
  reason: ReportReason | null
}

type Deciding = Pick<RequestContext['services'], 'now' | 'billingNow' | 'complaintLimits'>

/** The complaints and emails that were counted when an account's mail was paused. */
export type StopCount = Pick<ComplaintCount, 'complaints' | 'mails'>

/**
 * Closes the address, records the complaint, and pauses the account's mail after too many. Returns the new mail stop, if
 * any, for the security log after the commit.
 */
export async function recordComplaint(
  write: Write,
  complaint: Complaint,
  { now: clock, billingNow, complaintLimits }: Deciding,
): Promise<StopCount | undefined> {
  const { accountId, reminderId, address, source, reason } = complaint
  const now = clock()
  await closeAddress(write, { accountId, address, reason: 'complained', now })
  // Two complaints at once would not count each other.
  await write(sql`select from pg_advisory_xact_lock(hashtext('complaints'), ${accountId})`)
  const [added] = await write(sql`
    insert into complaints (account_id, reminder_id, source, reason, complained_at)
    values (${accountId}, ${reminderId}, ${source}, ${reason}, ${now})
    on conflict (account_id, reminder_id) do nothing returning id`)
  if (!added) return undefined
  const count = await countComplaints(write, accountId, { now, billingNow: billingNow() })
  if (!isOverComplaintRate(count, complaintLimits)) return undefined
  const { complaints, mails } = count
  const isNew = await stopMail(write, accountId, { complaints, mails, now })
  return isNew ? { complaints, mails } : undefined
}

const CountRow = z.object({ complaints: z.int(), mails: z.int(), subscription: SubscriptionField })

/**
 * A reader counts once, however many messages they report. Complaints before a stop was lifted no longer count, and
 * neither do emails that this account has not sent, nor complaints about them: those that an archive has brought have no
 * message ID.
 */
async function countComplaints(
  read: Read,
  accountId: number,
  { now, billingNow }: { now: Date; billingNow: Date },
): Promise<ComplaintCount> {
  const statement = sql`
    with since as materialized (
      select greatest(${now}::timestamptz - make_interval(days => ${COMPLAINT_DAYS}), max(lifted_at)) as at
      from mail_stops where account_id = ${accountId})
    select
      (select count(distinct coalesce(mailbox_of(r.address), c.id::text))::int
        from complaints c left join reminders r on r.account_id = c.account_id and r.id = c.reminder_id
        where c.account_id = ${accountId} and c.complained_at > (select at from since)
          and (r.id is null or r.message_id is not null)) as complaints,
      (select count(distinct r.message_id)::int from reminders r
        where r.account_id = ${accountId} and r.recipient = 'customer' and r.channel = 'email'
          and r.sent_at > (select at from since)) as mails,
      (select ${SUBSCRIPTION_JSON} from subscriptions s where s.account_id = ${accountId}) as subscription`
  const [count] = await read(statement, CountRow)
  if (!count) throw new Error('a count returns its row')
  const { subscription, ...counted } = count
  return { ...counted, isPaying: isPaying(subscription, billingNow) }
}

/** False if it was paused already. */
async function stopMail(write: Write, accountId: number, { complaints, mails, now }: StopCount & { now: Date }) {
  const [stopped] = await write(sql`
    insert into mail_stops (account_id, stopped_at, complaints, mails)
    values (${accountId}, ${now}, ${complaints}, ${mails})
    on conflict (account_id) where lifted_at is null do nothing returning id`)
  if (!stopped) return false
  await notify(write, { accountId, now }, { kind: 'mail_stopped' })
  return true
}
