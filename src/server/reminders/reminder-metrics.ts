import type { Database } from '#server/db/database.ts'

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: { name?: string; labels: Record<string, string>; value: number }[]
}

type System = Pick<Database, 'system'>

interface JobRow {
  name: string
  beganAt: number
  endedAt: number | null
}

/** When each job last began and ended, in seconds since 1970. */
export async function jobMetrics({ system }: System): Promise<Metric[]> {
  const { rows } = await system.query<JobRow>(`
    select name, extract(epoch from began_at)::float8 as "beganAt", extract(epoch from ended_at)::float8 as "endedAt"
    from job_runs order by name`)
  const gauge = (name: string, help: string, at: (row: JobRow) => number | null): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: rows.flatMap((row) => {
      const value = at(row)
      return value === null ? [] : [{ labels: { job: row.name }, value }]
    }),
  })
  return [
    gauge('traxx_job_last_begin_seconds', 'When a job last began', ({ beganAt }) => beganAt),
    gauge('traxx_job_last_end_seconds', 'When a job last came to its end', ({ endedAt }) => endedAt),
  ]
}

/** Messages of the last day by their state, and what is due and waits; by the clock of the database. */
export async function ledgerMetrics({ system }: System): Promise<Metric[]> {
  const { rows: states } = await system.query<{ state: string; count: number }>(
    'select state, count from reminder_states_of_last_day()',
  )
  const { rows: waiting } = await system.query<{ count: number; seconds: number }>(`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as seconds
    from reminders where state in ('planned', 'sending') and next_attempt_at <= now()`)
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: [{ labels: {}, value }],
  })
  return [
    {
      name: 'traxx_reminders_last_day',
      help: 'Messages that the ledger got in the last 24 hours, by their state now',
      type: 'gauge',
      samples: states.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    gauge('traxx_reminders_due', 'Messages that are due and not sent', waiting[0]?.count ?? 0),
    gauge('traxx_reminders_oldest_due_seconds', 'How long the oldest of them has been due', waiting[0]?.seconds ?? 0),
  ]
}
