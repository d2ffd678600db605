import type { Engine } from './engine.ts'

export interface RecentEvent {
  id: string
  type: string
  created: number
  state: string
  tries: number
  answer: string | null
}

/** The newest deliveries of the newest events, newest first. */
export async function recentEvents({ pool }: Engine, limit: number): Promise<RecentEvent[]> {
  const { rows } = await pool.query<RecentEvent>(
    `select event.id, event.data->>'type' as type, (event.data->>'created')::float8 as created,
       delivery.state, delivery.tries, delivery.answer
     from standin.stripe_deliveries delivery join standin.stripe_objects event on event.id = delivery.event
     order by delivery.id desc limit $1`,
    [limit],
  )
  return rows
}
