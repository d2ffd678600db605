import { resyncSubscriptions } from './billing/resync-subscriptions.ts'
import { sweepEvents } from './billing/webhooks.service.ts'
import type { JobContext } from './context.ts'
import { finishDeletions } from './deletion/finish-deletions.ts'
import { sweepFiles } from './files/files.service.ts'
import { planReminders } from './reminders/plan-reminders.ts'
import { sendReminders } from './reminders/send-reminders.ts'

export interface Job {
  name: string
  everyMs: number
  run: (ctx: JobContext) => Promise<void>
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 1440 * MINUTE_MS

/** What runs by itself: once at the start, and then again and again. */
const JOBS: Job[] = [
  { name: 'sweep-files', everyMs: DAY_MS, run: sweepFiles },
  { name: 'sweep-events', everyMs: DAY_MS, run: sweepEvents },
  { name: 'resync-subscriptions', everyMs: 5 * MINUTE_MS, run: resyncSubscriptions },
  { name: 'finish-deletions', everyMs: MINUTE_MS, run: finishDeletions },
  { name: 'plan-reminders', everyMs: MINUTE_MS, run: planReminders },
  { name: 'send-reminders', everyMs: 15 * SECOND_MS, run: sendReminders },
]

/** Starts the jobs; of servers that share a database one at a time runs a job. What fails is tried again in its turn. */
export function startJobs(server: Omit<JobContext, 'signal'>, jobs = JOBS): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const ctx = { ...server, signal: stopping.signal }
  const turns = new Map<Job, Promise<void>>()
  const begin = (job: Job) => {
    // A turn that takes longer than the time between turns is not followed by a queue of them.
    if (turns.has(job)) return
    const turn = takeTurn(ctx, job).finally(() => turns.delete(job))
    turns.set(job, turn)
  }
  for (const job of jobs) begin(job)
  const timers = jobs.map((job) => setInterval(begin, job.everyMs, job).unref())
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.all(turns.values())
    },
  }
}

async function takeTurn(ctx: JobContext, { name, run }: Job): Promise<void> {
  try {
    await ctx.db.oneAtATime(`job:${name}`, async () => {
      await noteRun(ctx, name, 'began_at')
      await run(ctx)
      await noteRun(ctx, name, 'ended_at')
    })
  } catch (error) {
    if (!ctx.signal.aborted) ctx.log.error({ err: error, job: name }, 'a job failed')
  }
}

/** Leaves a trace for whoever watches: when each job last began, and when it last came to its end. */
async function noteRun({ db }: JobContext, name: string, when: 'began_at' | 'ended_at'): Promise<void> {
  const text =
    when === 'began_at'
      ? `insert into job_runs (name, began_at) values ($1, now()) on conflict (name) do update set began_at = now()`
      : `update job_runs set ended_at = now() where name = $1`
  await db.system.query(text, [name])
}
