import { randomUUID } from 'node:crypto'
import { runBulkChanges } from './bulk/run-bulk-changes.ts'
import { resyncSubscriptions } from './billing/resync-subscriptions.ts'
import { sweepEvents } from './billing/webhooks.service.ts'
import { emailWaitingOwners } from './company/email-waiting-owners.ts'
import type { JobContext } from './context.ts'
import { deleteEndedAccounts } from './deletion/delete-ended-accounts.ts'
import { finishDeletions } from './deletion/finish-deletion.ts'
import { removeKeptPdfs } from './files/kept-pdfs.ts'
import { sweepFiles } from './files/sweep-files.ts'
import { sweepMailTokens } from './deliverability/mail-events.service.ts'
import { sweepMailCounts } from './deliverability/mail-limits.service.ts'
import { tellOfStops } from './deliverability/mail-stops.service.ts'
import { mailProofHeads } from './proofs/mail-proof-heads.ts'
import { renewContracts } from './renewals/renew-contracts.ts'
import { mailNoticeWarnings } from './notices/mail-notice-warnings.ts'
import { planReminders } from './reminders/plan-reminders.ts'
import { nextDueWithin, sendReminders } from './reminders/sending/send-reminders.ts'
import { sweepHistory } from './retention/sweep-history.ts'
import { traced } from './tracing/spans.ts'
import { purgeTrash } from './trash/purge-trash.ts'

export interface Job {
  name: string
  everyMs: number
  run: (ctx: JobContext) => Promise<void>
  /** Milliseconds until there is work before the next run; undefined if there is none. */
  soonerMs?: (ctx: JobContext, everyMs: number) => Promise<number | undefined>
  /** The job that continues the work, and starts when this one ends. */
  next?: string
}

/** Four fewer than the connections for locks of jobs (open-database.ts), for the locks that jobs take on the way. */
export const JOBS_AT_ONCE = 12

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 1440 * MINUTE_MS
/** From a first failure of a job until it runs again; the time doubles with each further one. */
const RETRY_MS = 10 * SECOND_MS

/** All jobs, those first that users notice. Each runs once at the start and then at its interval. */
const JOBS: Job[] = [
  { name: 'bulk-changes', everyMs: SECOND_MS, run: runBulkChanges },
  { name: 'renew-contracts', everyMs: MINUTE_MS, run: renewContracts },
  { name: 'plan-reminders', everyMs: MINUTE_MS, run: planReminders, next: 'send-reminders' },
  { name: 'send-reminders', everyMs: 15 * SECOND_MS, run: sendReminders, soonerMs: nextDueWithin },
  { name: 'email-waiting-owners', everyMs: MINUTE_MS, run: emailWaitingOwners },
  { name: 'mail-notice-warnings', everyMs: MINUTE_MS, run: mailNoticeWarnings },
  { name: 'tell-of-stops', everyMs: MINUTE_MS, run: tellOfStops },
  { name: 'resync-subscriptions', everyMs: 5 * MINUTE_MS, run: resyncSubscriptions },
  { name: 'finish-deletions', everyMs: MINUTE_MS, run: finishDeletions },
  { name: 'remove-kept-pdfs', everyMs: 5 * MINUTE_MS, run: removeKeptPdfs },
  { name: 'sweep-files', everyMs: DAY_MS, run: sweepFiles },
  { name: 'sweep-events', everyMs: DAY_MS, run: sweepEvents },
  { name: 'sweep-mail-tokens', everyMs: 60 * MINUTE_MS, run: sweepMailTokens },
  { name: 'sweep-mail-counts', everyMs: DAY_MS, run: sweepMailCounts },
  { name: 'sweep-history', everyMs: DAY_MS, run: sweepHistory },
  { name: 'purge-trash', everyMs: 60 * MINUTE_MS, run: purgeTrash },
  { name: 'delete-ended-accounts', everyMs: 60 * MINUTE_MS, run: deleteEndedAccounts },
  { name: 'mail-proof-heads', everyMs: 60 * MINUTE_MS, run: mailProofHeads },
]

/** Starts the jobs. A run is skipped while another process runs the same job; a failed one is soon retried. */
export function startJobs(
  server: Omit<JobContext, 'signal'>,
  jobs = JOBS,
  retryMs = RETRY_MS,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const ctx = { ...server, signal: stopping.signal }
  const running = new Map<Job, Promise<void>>()
  const waiting = new Set<Job>()
  const sooner = new Map<Job, NodeJS.Timeout>()
  const failures = new Map<Job, number>()
  const begin = (job: Job) => {
    // A run that takes longer than its interval does not queue up others.
    if (running.has(job) || stopping.signal.aborted) return
    if (running.size >= JOBS_AT_ONCE) waiting.add(job)
    else
      running.set(
        job,
        runOnce(ctx, job).then((result) => end(job, result)),
      )
  }
  const beginIn = (job: Job, milliseconds: number) => {
    clearTimeout(sooner.get(job))
    sooner.set(job, setTimeout(begin, milliseconds, job).unref())
  }
  const end = (job: Job, { hasFailed, soonerMs }: Result) => {
    running.delete(job)
    const [longest] = waiting
    if (longest && waiting.delete(longest)) begin(longest)
    if (stopping.signal.aborted) return
    const failed = hasFailed ? (failures.get(job) ?? 0) + 1 : 0
    failures.set(job, failed)
    if (hasFailed) beginIn(job, Math.min(job.everyMs, retryMs * 2 ** (failed - 1)))
    else if (soonerMs !== undefined) beginIn(job, soonerMs)
    const next = jobs.find(({ name }) => name === job.next)
    if (next) begin(next)
  }
  for (const job of jobs) begin(job)
  // They keep the process alive: without its database, a worker has nothing else that does.
  const timers = jobs.map((job) => setInterval(begin, job.everyMs, job))
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      for (const timer of sooner.values()) clearTimeout(timer)
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}

interface Result {
  hasFailed: boolean
  /** When there is work before the next run, if there is any. */
  soonerMs?: number | undefined
}

async function runOnce(server: JobContext, { name, run, everyMs, soonerMs }: Job): Promise<Result> {
  const ctx = { ...server, log: server.log.child({ job: name, run: randomUUID() }) }
  try {
    const hasRun = await ctx.db.unlessRunning(`job:${name}`, async () => {
      const job = { ...ctx, db: ctx.db.as(`job:${name}`) }
      await noteRun(job, name, 'began_at')
      await traced(`job:${name}`, () => run(job))
      await noteRun(job, name, 'ended_at')
    })
    if (ctx.signal.aborted || !hasRun) return { hasFailed: false }
    return { hasFailed: false, soonerMs: await soonerMs?.(ctx, everyMs) }
  } catch (error) {
    if (!ctx.signal.aborted) ctx.log.error({ err: error }, 'a job failed')
    return { hasFailed: true }
  }
}

/** Records for monitoring when each job last started and last finished. */
async function noteRun({ db }: JobContext, name: string, when: 'began_at' | 'ended_at'): Promise<void> {
  const text =
    when === 'began_at'
      ? `insert into job_runs (name, began_at) values ($1, now()) on conflict (name) do update set began_at = now()`
      : `update job_runs set ended_at = now() where name = $1`
  await db.system.query(text, [name])
}
