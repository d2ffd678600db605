import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, dayIn, type Day } from '#shared/domain/day.ts'
import { WARNING_DAYS } from '#shared/domain/notice-warning.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import type { JobContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { piecesOf } from '#server/db/pieces.ts'
import { readRows } from '#server/db/rows.ts'
import { mailFailureOf } from '#server/mail/mail-failure.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import { WINDOWS_AT_ONCE } from '#server/notice-rules/noticed-contracts.ts'
import { IS_OF_TERM } from '#server/reminders/plan-notices.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { noticesAtRisk } from '#server/reminders/unsent-notices.ts'
import { MOST_LISTED, noticeWarningLetter, type AtRisk } from './notice-warning-letter.ts'
import { begin, pendingEmail, PendingRow, undoBegin, type Email } from './warning-emails.ts'

const AT_ONCE = 200
/** After a failure it is tried again in a quarter of an hour. */
const RETRY_MS = 900_000
/** Where it may have been sent, in an hour if a window closes within two days, or in six. */
const RETRY_SOON_MS = 3_600_000
const RETRY_UNKNOWN_MS = 21_600_000

const DueRow = z.object({ accountId: z.int() })

/**
 * Emails owners of windows that are about to close without notice: one email a day to each. What they are warned of later
 * that day waits until the next, unless the window closes today. An email that may have been sent is sent again about the
 * same warnings and under the same Message-ID; until then others wait for it.
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
      return putOff(ctx, { accountId, until: after(ctx, RETRY_MS) })
    })
  }
}

async function mailAccount(ctx: JobContext, accountId: number): Promise<void> {
  const { db, services } = ctx
  const now = services.now()
  const read = db.readAs(accountId)
  const account = await readReminderAccount(read, accountId)
  const today = dayIn(now, account.timeZone)
  const [pending] = await read(pendingEmail(accountId, { now, today }), PendingRow)
  if (!pending) return
  const { ids } = pending
  const { first, listed, riskIds } = await findAtRisk({ read, accountId, today, services }, ids)
  if (first && first.lastDay > today) {
    const tomorrow = instantOf(addDays(today, 1), account.settings.hour, account.timeZone)
    const until = pending.isEmailedToday ? tomorrow : pending.triedAt
    if (until) return putOff(ctx, { accountId, until, ids })
  }
  if (first) {
    const key = pending.key ?? `notice-warnings-${accountId}-${pending.warnedAt.getTime()}`
    const email = { accountId, ids, riskIds, key }
    const isBegun = await db.writeAs(accountId, (_em, write) => begin(write, email, { now, today }))
    if (!isBegun) return
    try {
      await mailOwner(ctx, account, { atRisk: [first, ...listed], count: riskIds.length, today, key })
    } catch (error) {
      const isSoon = first.lastDay <= addDays(today, SOON_DAYS)
      return putOffFailed(ctx, error, { ...email, isSoon, before: pending })
    }
  }
  await db.writeAs(accountId, (_em, write) =>
    write(sql`
      update notices set owner_email_at = null, owner_email_key = null
      where account_id = ${accountId} and id = any(${ids}::int[]) and warned_at <= ${now}`),
  )
}

const [, SOON_DAYS] = WARNING_DAYS

const WARNED = columnsOf(NoticeEntity, 'n', ['id', 'customerName', 'lastDay', 'means', 'preset'])
const WarnedRow = z.object({ ...WARNED.fields, contractId: z.int(), title: z.string().nullable() })

interface FoundRisks {
  first: AtRisk | undefined
  /** As many others as an email lists. */
  listed: AtRisk[]
  /** All of them. */
  riskIds: number[]
}

/** Those in which notice has still not been given and whose contracts are still there, read in pieces. */
async function findAtRisk(reading: Parameters<typeof noticesAtRisk>[0], ids: readonly number[]): Promise<FoundRisks> {
  const { read, accountId } = reading
  const all: AtRisk[] = []
  const riskIds: number[] = []
  for (const [piece] of piecesOf([{ ids }], WINDOWS_AT_ONCE)) {
    const warned = await read(warnedNotices(accountId, piece?.ids ?? []), WarnedRow)
    const reasons = await noticesAtRisk(
      reading,
      warned.map(({ contractId }) => contractId),
    )
    for (const one of warned) {
      const why = reasons.get(one.contractId)
      if (why) riskIds.push(one.id)
      if (why && all.length < MOST_LISTED) all.push({ ...one, why })
    }
  }
  const [first, ...listed] = all
  return { first, listed, riskIds }
}

function warnedNotices(accountId: number, ids: readonly number[]) {
  return sql`
    select ${WARNED}, k.id as "contractId", k.title
    from notices n join contracts k on ${IS_OF_TERM}
    where n.account_id = ${accountId} and n.id = any(${[...ids]}::int[]) order by n.last_day, n.id`
}

/** Before that is recorded: the same email twice is better than none. The app has told an owner who cannot be emailed. */
async function mailOwner(
  { services: { mailer, publicUrl }, log }: JobContext,
  { id: accountId, owner }: ReminderAccount,
  { atRisk, count, today, key }: { atRisk: readonly [AtRisk, ...AtRisk[]]; count: number; today: Day; key: string },
): Promise<void> {
  if (!owner.email || owner.hasBounced) return
  try {
    await sendLetter(mailer, { to: owner.email, key, ...noticeWarningLetter(atRisk, { count, today, publicUrl }) })
  } catch (error) {
    if (mailFailureOf(error) !== 'refused') throw error
    log.warn({ err: error, accountId }, 'an owner could not be emailed about notices')
  }
}

interface Failed extends Email {
  /** A window closes within two days. */
  isSoon: boolean
  before: PendingRow
}

/** What was certainly not sent, now or before, may be in another email later. */
async function putOffFailed(ctx: JobContext, error: unknown, { isSoon, before, ...email }: Failed): Promise<void> {
  const { accountId, ids } = email
  ctx.log.error({ err: error, accountId }, 'an owner could not be emailed about notices')
  const isUnknown = mailFailureOf(error) === 'unknown'
  if (!isUnknown) await ctx.db.writeAs(accountId, (_em, write) => undoBegin(write, email, before))
  const retry = isSoon ? RETRY_SOON_MS : RETRY_UNKNOWN_MS
  await putOff(ctx, { accountId, until: after(ctx, isUnknown ? retry : RETRY_MS), ids })
}

function after({ services }: JobContext, ms: number): Date {
  return new Date(services.now().getTime() + ms)
}

/** Puts off those of the warnings that would be emailed earlier; all of the account, if none are named. */
async function putOff(
  { db }: JobContext,
  { accountId, until, ids }: { accountId: number; until: Date; ids?: readonly number[] },
): Promise<void> {
  await db.writeAs(accountId, (_em, write) =>
    write(sql`
      update notices set owner_email_at = ${until}
      where account_id = ${accountId} and owner_email_at is not null and owner_email_at < ${until}
        ${ids ? sql`and id = any(${[...ids]}::int[])` : empty}`),
  )
}
