import sql from 'sql-template-tag'
import { z } from 'zod'
import { addDays, dayIn, type Day } from '#shared/domain/day.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import type { JobContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import { mailFailureOf } from '#server/mail/mail-failure.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { noticesAtRisk } from '#server/reminders/unsent-notices.ts'
import { noticeWarningLetter, type AtRisk } from './notice-warning-letter.ts'

const AT_ONCE = 200
/** After a failure it is tried again in a quarter of an hour, or in six hours where it may have been sent. */
const RETRY_MS = 900_000
const RETRY_UNKNOWN_MS = 21_600_000

const DueRow = z.object({ accountId: z.int() })

/**
 * Emails owners of windows that are about to close without notice: one email a day to each. What they are warned of later
 * that day waits until the next, unless the window closes today.
 */
export async function mailNoticeWarnings(ctx: JobContext): Promise<void> {
  const { db, services, signal, log } = ctx
  const statement = sql`
    select n.account_id as "accountId" from notices n join accounts a on a.id = n.account_id
    where n.owner_email_at <= ${services.now()} and a.deleting_at is null
    group by n.account_id order by min(n.owner_email_at) limit ${AT_ONCE}`
  for (const { accountId } of await readRows(db.system, statement, DueRow)) {
    if (signal.aborted) return
    await mailAccount(ctx, accountId).catch((error: unknown) => {
      log.error({ err: error, accountId }, 'an owner could not be emailed about notices')
      const isUnknown = mailFailureOf(error) === 'unknown'
      return putOff(ctx, accountId, new Date(services.now().getTime() + (isUnknown ? RETRY_UNKNOWN_MS : RETRY_MS)))
    })
  }
}

async function mailAccount(ctx: JobContext, accountId: number): Promise<void> {
  const { db, services } = ctx
  const now = services.now()
  const read = db.readAs(accountId)
  const account = await readReminderAccount(read, accountId)
  const today = dayIn(now, account.timeZone)
  const warned = await read(warnedNotices(accountId, now), WarnedRow)
  const reasons = await noticesAtRisk(
    { read, accountId, today, services },
    warned.map(({ contractId }) => contractId),
  )
  const atRisk = warned.flatMap((one) => {
    const why = reasons.get(one.contractId)
    return why ? [{ ...one, why }] : []
  })
  const [first, ...others] = atRisk
  if (first && warned.some(({ lastEmailedOn }) => lastEmailedOn === today) && first.lastDay > today)
    return putOff(ctx, accountId, instantOf(addDays(today, 1), account.settings.hour, account.timeZone))
  if (first) await mailOwner(ctx, account, { atRisk: [first, ...others], today, key: keyOf(accountId, warned) })
  await db.writeAs(accountId, (_em, write) =>
    write(sql`
      update notices set owner_email_at = null,
        owner_emailed_on = case when id = any(${atRisk.map(({ id }) => id)}::int[]) then ${today}::date else owner_emailed_on end
      where account_id = ${accountId} and owner_email_at <= ${now} and warned_at <= ${now}`),
  )
}

const WARNED = columnsOf(NoticeEntity, 'n', ['id', 'customerName', 'lastDay', 'means', 'warnedAt'])
const WarnedRow = z.object({
  ...WARNED.fields,
  contractId: z.int(),
  title: z.string().nullable(),
  /** The day of the account's last email about warnings. */
  lastEmailedOn: z.string().nullable(),
})
type WarnedRow = z.output<typeof WarnedRow>

/** Those of which the owner is to be emailed, and whose contracts are still there; the first to close first. */
function warnedNotices(accountId: number, now: Date) {
  return sql`
    select ${WARNED}, k.id as "contractId", k.title, (
      select max(o.owner_emailed_on) from notices o where o.account_id = n.account_id) as "lastEmailedOn"
    from notices n join contracts k on k.account_id = n.account_id and k.id = n.contract_id
    where n.account_id = ${accountId} and n.owner_email_at <= ${now} order by n.last_day, n.id`
}

/** The same as long as the warnings are, so that mail programs know an email that is sent twice. */
function keyOf(accountId: number, warned: readonly WarnedRow[]): string {
  const times = warned.map(({ warnedAt }) => warnedAt?.getTime() ?? 0)
  return `notice-warnings-${accountId}-${Math.min(...times)}`
}

/** Before that is recorded: the same email twice is better than none. The app has told an owner who cannot be emailed. */
async function mailOwner(
  { services: { mailer, publicUrl }, log }: JobContext,
  { id: accountId, owner }: ReminderAccount,
  { atRisk, today, key }: { atRisk: readonly [AtRisk, ...AtRisk[]]; today: Day; key: string },
): Promise<void> {
  if (!owner.email || owner.hasBounced) return
  try {
    await sendLetter(mailer, { to: owner.email, key, ...noticeWarningLetter(atRisk, { today, publicUrl }) })
  } catch (error) {
    if (mailFailureOf(error) !== 'refused') throw error
    log.warn({ err: error, accountId }, 'an owner could not be emailed about notices')
  }
}

async function putOff({ db }: JobContext, accountId: number, until: Date): Promise<void> {
  await db.writeAs(accountId, (_em, write) =>
    write(sql`
      update notices set owner_email_at = ${until}
      where account_id = ${accountId} and owner_email_at is not null and owner_email_at < ${until}`),
  )
}
