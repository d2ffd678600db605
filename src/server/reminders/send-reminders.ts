import sql from 'sql-template-tag'
import type { JobContext } from '#server/context.ts'
import { claim, type Claimed, type Due } from './claim.ts'
import { recordFailed, recordSent, send, type Outcome } from './deliver.ts'
import { inParallel } from './in-parallel.ts'

const SENT_AT_ONCE = 20
const PAGE = 500
/** So many of one page that found no server mean that the mail server is away: the rest waits for the next turn. */
const ENOUGH_FAILURES = 5
const MINUTE_MS = 60_000
const WAITS = [1, 5, 15, 60]

type Result = 'sent' | 'settled' | 'failed' | 'waits' | 'unreachable' | 'elsewhere'
/** A page without any of these ends the turn: what is in it would be tried over and over. */
const SETTLED: Result[] = ['sent', 'settled', 'failed']

/** Sends what the ledger has planned, and what a crash left half-done. */
export async function sendReminders(ctx: JobContext): Promise<void> {
  for (let due = await dueMessages(ctx); due.length > 0; due = await dueMessages(ctx)) {
    let failures = 0
    const results = await inParallel(due, SENT_AT_ONCE, async (one) => {
      if (ctx.signal.aborted || failures >= ENOUGH_FAILURES) return 'elsewhere'
      const result = await sendOne(ctx, one)
      failures += Number(result === 'unreachable')
      return result
    })
    const settlesAny = results.some((result) => SETTLED.includes(result))
    if (failures >= ENOUGH_FAILURES || !settlesAny) return
  }
}

async function dueMessages({ db, services, signal }: JobContext): Promise<Due[]> {
  if (signal.aborted) return []
  const { rows } = await db.system.query<Due>({
    name: 'due_messages',
    text: `select id, account_id as "accountId" from reminders
      where state in ('planned', 'sending') and (next_attempt_at <= $1
        or state = 'sending' and next_attempt_at > $1::timestamptz + interval '2 hours') order by next_attempt_at, id limit ${PAGE}`,
    values: [services.now()],
  })
  return rows
}

type Sending = Omit<JobContext, 'signal'>

/** Sends one message whose time has come, and writes down how it went. */
export async function sendOne(ctx: Sending, due: Due): Promise<Result> {
  try {
    const claimed = await claim(ctx, due)
    if (!claimed) return 'elsewhere'
    return claimed === 'settled' ? claimed : await record(ctx, claimed, await send(ctx, claimed))
  } catch (error) {
    // Its row still says what it said: after its lease it is tried again.
    ctx.log.error({ err: error, reminder: due.id }, 'a reminder could not be recorded')
    return 'elsewhere'
  }
}

async function record(ctx: Sending, claimed: Claimed, outcome: Outcome): Promise<Result> {
  if (outcome.state === 'sent') {
    await recordSent(ctx, claimed)
    return 'sent'
  }
  ctx.log.warn({ reminder: claimed.id, failure: outcome.failure, answer: outcome.answer }, 'a reminder was not sent')
  if (outcome.failure === 'refused') {
    await recordFailed(ctx, claimed, outcome)
    return 'failed'
  }
  await recordRetry(ctx, claimed, outcome)
  return outcome.failure === 'deferred' ? 'waits' : 'unreachable'
}

/** What may have been sent stays "sending" while it waits: the next attempt is then counted as a repeat. */
async function recordRetry({ db, services }: Sending, claimed: Claimed, outcome: Outcome & { state: 'failed' }) {
  const { id, accountId, attempts } = claimed
  const wait = (WAITS[attempts - 1] ?? Math.max(...WAITS)) * MINUTE_MS
  await db.writeAs(accountId, (_em, write) =>
    write(sql`
      update reminders set state = ${outcome.failure === 'unknown' ? 'sending' : 'planned'}, answer = ${outcome.answer},
        next_attempt_at = ${new Date(services.now().getTime() + wait)}
      where account_id = ${accountId} and id = ${id} and state = 'sending'`),
  )
}
