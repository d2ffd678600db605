import { isDeepStrictEqual } from 'node:util'
import { StripeProblem } from './problem.ts'
import type { Transaction } from './transaction.ts'

export interface Answer {
  status: number
  body: object
  requestId: string
}

interface Asked {
  key: string
  path: string
  input: unknown
}

interface Kept {
  path: string
  input: unknown
  status: number
  body: object
  request_id: string
}

/** What was answered to this key before. The same key for anything else is refused. */
export async function earlierAnswer({ client }: Transaction, { key, path, input }: Asked): Promise<Answer | null> {
  const { rows } = await client.query<Kept>(
    'select path, input, status, body, request_id from standin.stripe_idempotency where key = $1',
    [key],
  )
  const [kept] = rows
  if (!kept) return null
  if (kept.path !== path || !isDeepStrictEqual(kept.input, JSON.parse(JSON.stringify(input)))) throw keyIsTaken(key)
  return { status: kept.status, body: kept.body, requestId: kept.request_id }
}

export async function keepAnswer({ client }: Transaction, { key, path, input }: Asked, answer: Answer): Promise<void> {
  await client.query(
    `insert into standin.stripe_idempotency (key, path, input, status, body, request_id) values ($1, $2, $3, $4, $5, $6)`,
    [key, path, JSON.stringify(input), answer.status, JSON.stringify(answer.body), answer.requestId],
  )
}

export async function forgetOldAnswers({ client }: Transaction): Promise<void> {
  await client.query(`delete from standin.stripe_idempotency where created_at < now() - interval '48 hours'`)
}

function keyIsTaken(key: string): StripeProblem {
  return new StripeProblem(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
      `Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  )
}
