import { expireSession } from './checkout-sessions.ts'
import { retryPayment } from './invoices.ts'
import { live } from './subscription-course.ts'
import type { Turn } from './turn.ts'

interface Due {
  id: string
  object: string
  at: number
}

/** Lets everything happen that is due by this turn's moment, each at its own moment and in that order. */
export async function catchUp(turn: Turn): Promise<void> {
  for (let due = await nextDue(turn); due; due = await nextDue(turn)) {
    await happen({ ...turn, now: due.at, request: { id: null, idempotency_key: null } }, due)
  }
}

async function nextDue({ client, now }: Turn): Promise<Due | undefined> {
  const { rows } = await client.query<Due>(
    `select id, object, due_at::float8 as at from standin.stripe_objects
     where due_at <= $1 order by due_at, seq limit 1`,
    [now],
  )
  return rows[0]
}

async function happen(turn: Turn, { id, object }: Due): Promise<void> {
  if (object === 'checkout.session') return expireSession(turn, id)
  if (object === 'invoice') return retryPayment(turn, id)
  return live(turn, id)
}
