import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { retryWait } from '#shared/domain/reminder-waits.ts'
import type { JobContext } from '#server/context.ts'
import { columnsOf, instant } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { logLimit } from '#server/deliverability/mail-limits.service.ts'
import { claim, type Claimed, type Claims } from './claim.ts'
import { isCertainlyUnsent, recordFailed, recordSent, send, uncount, type Outcome } from './deliver.ts'
import { chunksOf, inParallel } from '#server/limits/in-parallel.ts'
import { isSendingTooLong, IS_WAITING, retryLater, type Batch } from '#server/ledger/ledger.ts'

/** The most rows claimed at once, which a crash would leave half-done. A batch belongs to one account. */
const ROWS_AT_ONCE = 80
const ROWS_IN_A_BATCH = 20
const PAGE = 500
/** If this many emails of a page reach no server, the mail server is down, and the rest waits for the next run. */
const ENOUGH_FAILURES = 5

type Result = 'sent' | 'failed' | 'waits' | 'unreachable' | 'elsewhere'

interface BatchResult {
  unreachable: number
  /** Whether any row is done with. If none of a page is, the run ends, as it would try the same rows forever. */
  hasSettled: boolean
}

/** Sends what the ledger has planned, and what a crash left half-done. */
export async function sendReminders(ctx: JobContext): Promise<void> {
  for (let due = await dueBatches(ctx); due.length > 0; due = await dueBatches(ctx)) {
    let failures = 0
    const results = await inParallel(due, { most: ROWS_AT_ONCE, weightOf: ({ ids }) => ids.length }, async (batch) => {
      if (ctx.signal.aborted || failures >= ENOUGH_FAILURES) return NOTHING
      const result = await sendBatch(ctx, batch)
      failures += result.unreachable
      return result
    })
    if (failures >= ENOUGH_FAILURES || !results.some(({ hasSettled }) => hasSettled)) return
  }
}

const NOTHING: BatchResult = { unreachable: 0, hasSettled: false }

const DUE = columnsOf(ReminderEntity, 'r', ['id', 'accountId'])
const DueRow = z.object(DUE.fields)

async function dueBatches({ db, services, signal }: JobContext): Promise<Batch[]> {
  if (signal.aborted) return []
  const now = services.now()
  const statement = sql`
    select ${DUE} from reminders r
    where ${IS_WAITING} and (next_attempt_at <= ${now} or ${isSendingTooLong(now)})
    order by next_attempt_at, r.id limit ${raw(String(PAGE))}`
  const rows = await readRows(db.system, statement, DueRow)
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId)
  return [...byAccount].flatMap(([accountId, due]) =>
    chunksOf(due, ROWS_IN_A_BATCH).map((some) => ({ accountId, ids: some.map(({ id }) => id) })),
  )
}

type Sending = Omit<JobContext, 'signal'>

/** Sends the messages of an account that are due, and records the results. */
export async function sendBatch(ctx: Sending, batch: Batch): Promise<BatchResult> {
  const { mails, settled, limitMet } = await claim(ctx, batch).catch((error: unknown): Claims => {
    ctx.log.error({ err: error, reminders: batch.ids }, 'reminders could not be claimed for sending')
    return { mails: [], settled: 0 }
  })
  if (limitMet) logLimit(ctx.log, batch.accountId, limitMet)
  const results = await Promise.all(mails.map((mail) => sendOne(ctx, mail)))
  return {
    unreachable: results.filter((result) => result === 'unreachable').length,
    hasSettled: settled > 0 || results.some((result) => result === 'sent' || result === 'failed'),
  }
}

async function sendOne(ctx: Sending, mail: Claimed): Promise<Result> {
  try {
    const outcome = await send(ctx, mail)
    if (outcome.state === 'sent') {
      await recordSent(ctx, mail, outcome.letter)
      return 'sent'
    }
    ctx.log.warn({ reminders: mail.ids, failure: outcome.failure, answer: outcome.answer }, 'reminders were not sent')
    if (outcome.failure === 'refused') {
      await recordFailed(ctx, mail, outcome)
      return 'failed'
    }
    await recordRetry(ctx, mail, outcome)
    return outcome.failure === 'deferred' ? 'waits' : 'unreachable'
  } catch (error) {
    // Its rows are unchanged, so it is tried again when their lease ends.
    ctx.log.error({ err: error, reminders: mail.ids }, 'reminders could not be recorded')
    return 'elsewhere'
  }
}

/** A message that may have been sent stays "sending" while it waits, so that the next attempt counts as a repeat. */
async function recordRetry({ db, services }: Sending, mail: Claimed, outcome: Outcome & { state: 'failed' }) {
  const { accountId, attempts } = mail
  await db.writeAs(accountId, async (_em, write) => {
    const at = new Date(services.now().getTime() + retryWait(attempts))
    const isUnsent = isCertainlyUnsent(outcome.failure)
    if (isUnsent) await uncount(write, mail)
    await retryLater(write, mail, { at, answer: outcome.answer, isUnsent })
  })
}

const NextRow = z.object({ at: instant.nullable() })

/**
 * Milliseconds until the next planned message is due, if that is within `withinMs`. It lets a reminder that can be
 * undone for 10 seconds go out on time without reading the ledger more often.
 */
export async function nextDueWithin({ db, services }: JobContext, withinMs: number): Promise<number | undefined> {
  const now = services.now()
  const statement = sql`
    select min(next_attempt_at) as at from reminders
    where state = 'planned' and next_attempt_at > ${now} and next_attempt_at < ${new Date(now.getTime() + withinMs)}`
  const [next] = await readRows(db.system, statement, NextRow)
  return next?.at ? next.at.getTime() - now.getTime() : undefined
}
