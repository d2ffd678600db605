import { expireSession } from './checkout-sessions.ts'
import { retryPayment } from './invoices.ts'
import { live } from './subscription-course.ts'
import type { Transaction } from './transaction.ts'

interface Due {
  id: string
  object: string
  at: number
}

/** Lets everything happen that is due by the moment of this transaction, each at its own moment and in that order. */
export async function catchUp(tx: Transaction): Promise<void> {
  for (let due = await nextDue(tx); due; due = await nextDue(tx)) {
    await happen({ ...tx, now: due.at, request: { id: null, idempotency_key: null } }, due)
  }
}

async function nextDue({ client, now }: Transaction): Promise<Due | undefined> {
  const { rows } = await client.query<Due>(
    `select id, object, due_at::float8 as at from standin.stripe_objects
     where due_at <= $1 order by due_at, seq limit 1`,
    [now],
  )
  return rows[0]
}

async function happen(tx: Transaction, { id, object }: Due): Promise<void> {
  if (object === 'checkout.session') return expireSession(tx, id)
  if (object === 'invoice') return retryPayment(tx, id)
  return live(tx, id)
}
