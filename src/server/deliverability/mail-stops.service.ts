import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { COMPLAINT_DAYS } from '#shared/domain/complaint-rate.ts'
import type { JobContext, RequestContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Database, Read } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import type { LetterPart } from '#server/mail/letter.ts'
import { mailFailureOf } from '#server/mail/mail-failure.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { notify } from '#server/notifications/notify.ts'
import { logOfMail } from '#server/security/security-log.ts'
import { MailStopEntity } from './deliverability.entity.ts'
import { resumeHeldUp } from '#server/ledger/requests.ts'

/** A pause of mail to customers. */
export interface MailStopView {
  since: Date
  /** Why the operator has suspended the account; null if readers' complaints are the reason. */
  suspension: string | null
  /** How many readers complained, and the emails they were among. */
  complaints: number
  mails: number
  /** The contact address. */
  contact: string
}

/** Whether mail to the customers of an account is paused, because of complaints or as the account is suspended. */
export function isStopped(accountId: Sql): Sql {
  return sql`(exists (select from mail_stops s where s.account_id = ${accountId} and s.lifted_at is null)
    or exists (select from accounts held where held.id = ${accountId} and held.suspended_at is not null))`
}

const SUSPENSION = columnsOf(AccountEntity, 'a', ['suspendedAt', 'suspensionReason'])
const STOP = columnsOf(MailStopEntity, 's', ['stoppedAt', 'complaints', 'mails'])
const StopRow = z.object({
  ...SUSPENSION.fields,
  stoppedAt: STOP.fields.stoppedAt.nullable(),
  complaints: STOP.fields.complaints.nullable(),
  mails: STOP.fields.mails.nullable(),
})

/** The account's mail stop; null if mail is not paused. */
export async function getMailStop(
  { services: { contactMail } }: Pick<RequestContext, 'services'>,
  { read, accountId }: { read: Read; accountId: number },
): Promise<MailStopView | null> {
  const statement = sql`
    select ${SUSPENSION}, ${STOP}
    from accounts a left join mail_stops s on s.account_id = a.id and s.lifted_at is null where a.id = ${accountId}`
  const [row] = await read(statement, StopRow)
  const since = row?.suspendedAt ?? row?.stoppedAt
  if (!row || !since) return null
  const { suspensionReason: suspension, complaints, mails } = row
  return { since, suspension, complaints: complaints ?? 0, mails: mails ?? 0, contact: contactMail }
}

/** Resumes an account's mail to customers, including waiting messages; false if it was not paused. For the operator. */
export async function liftStop(
  { db }: { db: Pick<Database, 'writeAs'> },
  accountId: number,
  now: Date,
): Promise<boolean> {
  return db.writeAs(accountId, async (em, write) => {
    const lifted = await em.nativeUpdate(MailStopEntity, { accountId, liftedAt: null }, { liftedAt: now })
    if (lifted === 0) return false
    await resumeHeldUp(write, { accountId, now })
    await notify(write, { accountId, now }, { kind: 'mail_resumed' })
    return true
  })
}

const UNTOLD = columnsOf(MailStopEntity, 's', ['accountId', 'id', 'complaints', 'mails'])
const OWNER = columnsOf(AccountEntity, 'a', ['email'])
const UntoldRow = z.object({ ...UNTOLD.fields, ...OWNER.fields })
type Untold = z.output<typeof UntoldRow>

/** Emails owners and the operator about new mail stops, once each, and logs those that were lifted. */
export async function tellOfStops(ctx: JobContext): Promise<void> {
  await logLifted(ctx)
  const statement = sql`
    update mail_stops s set told_at = ${ctx.services.now()} from accounts a
    where s.told_at is null and a.id = s.account_id and a.deleting_at is null
    returning ${UNTOLD}, ${OWNER}`
  for (const untold of await readRows(ctx.db.system, statement, UntoldRow)) await tell(ctx, untold)
}

const STOPPED = columnsOf(MailStopEntity, 's', ['accountId'])
const StoppedRow = z.object(STOPPED.fields)

/** Stops are lifted by a command, which does not write to the server's log. */
async function logLifted({ db, log }: JobContext): Promise<void> {
  const statement = sql`
    update mail_stops s set lift_logged_at = lifted_at
    where lifted_at is not null and (lift_logged_at is null or lift_logged_at < lifted_at)
    returning ${STOPPED}`
  const lifted = await readRows(db.system, statement, StoppedRow)
  for (const { accountId } of lifted) logOfMail(log, 'mail.resumed', { actor: 'operator', account: accountId })
}

async function tell(ctx: JobContext, untold: Untold): Promise<void> {
  const { accountId, id, complaints, mails } = untold
  const count = `${complaints} people complained, out of ${mails} emails in the last ${COMPLAINT_DAYS} days.`
  if (!(await tellOwner(ctx, { ...untold, count }))) {
    const statement = 'update mail_stops set told_at = null where account_id = $1 and id = $2'
    await ctx.db.system.query(statement, [accountId, id])
    return
  }
  await tellOperator(ctx, { ...untold, count })
}

type Counted = Untold & { count: string }

/** False if it is to be retried. An owner without a working address sees the stop only in the app. */
async function tellOwner({ services, log }: JobContext, { accountId, email, count }: Counted): Promise<boolean> {
  if (email === '') return true
  const { mailer, contactMail } = services
  try {
    await sendLetter(mailer, {
      to: email,
      replyTo: contactMail,
      subject: 'Messages to your customers are paused',
      letter: {
        sender: 'TRAXX',
        parts: paragraphs(
          'Hello,',
          `We have paused the messages to your customers: ${count}`,
          `Messages that come due in the meantime are on hold. Please reply to this email, or write to ${contactMail}, and tell us who your customers are and how you got their addresses. Once we have reviewed your account, we can resume your messages.`,
        ),
        note: 'You are receiving this email because it concerns your TRAXX account.',
      },
    })
    return true
  } catch (error) {
    log.warn({ err: error, account: accountId }, 'an owner could not be emailed about paused messages')
    return mailFailureOf(error) === 'refused'
  }
}

/** Not retried, because the log has it too. */
async function tellOperator({ services, log }: Pick<JobContext, 'services' | 'log'>, stop: Counted) {
  const { accountId, email, count } = stop
  const { mailer, contactMail } = services
  const account = `Account ${accountId}, ${email || 'without a verified email address'}`
  const letter = {
    sender: 'TRAXX',
    parts: paragraphs(`${account}: ${count}`, `To resume: npm run operator -- lift-stop ${accountId}`),
    note: 'You are receiving this email as the operator of this TRAXX installation.',
  }
  try {
    await sendLetter(mailer, { to: contactMail, subject: 'Customer emails of an account were paused', letter })
  } catch (error) {
    log.warn({ err: error, account: accountId }, 'the operator could not be emailed about a paused account')
  }
}

function paragraphs(...texts: string[]): LetterPart[] {
  return texts.map((text) => ({ text }))
}
