import type { JobContext } from './context.ts'
import { sweepFiles } from './files/files.service.ts'

export interface Job {
  name: string
  everyMs: number
  run: (ctx: JobContext) => Promise<void>
}

const DAY_MS = 86_400_000

/** What runs by itself: once at the start, and then again and again. */
const JOBS: Job[] = [{ name: 'sweep-files', everyMs: DAY_MS, run: sweepFiles }]

/** Starts the jobs; of servers that share a database one at a time runs a job. What fails is tried again in its turn. */
export function startJobs(server: Omit<JobContext, 'signal'>, jobs = JOBS): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const ctx = { ...server, signal: stopping.signal }
  const turns = new Set<Promise<void>>()
  const begin = (job: Job) => {
    const turn = takeTurn(ctx, job).finally(() => turns.delete(turn))
    turns.add(turn)
  }
  for (const job of jobs) begin(job)
  const timers = jobs.map((job) => setInterval(begin, job.everyMs, job).unref())
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.all(turns)
    },
  }
}

async function takeTurn(ctx: JobContext, { name, run }: Job): Promise<void> {
  try {
    await ctx.db.oneAtATime(`job:${name}`, () => run(ctx))
  } catch (error) {
    if (!ctx.signal.aborted) ctx.log.error({ err: error, job: name }, 'a job failed')
  }
}
