import type { Pool } from 'pg'
import type { Actor } from '#server/db/actor.ts'
import { noAnswer, pgParser, runBatch, type Answer, type Statement } from './batch.ts'
import { onConnection } from './pool.ts'
import { AppError } from '#shared/errors.ts'
import { againAfterDeadlock, isLockTimeout } from '#server/db/violations.ts'

interface SystemQuery {
  text: string
  values?: readonly unknown[]
}

/** One statement across accounts. Read its rows with `readRows` (rows.ts). */
export interface System {
  query(query: string | SystemQuery, values?: readonly unknown[]): Promise<Answer>
}

export interface SystemTransactions {
  /** One transaction in one round trip. Each statement sees what was committed before it began. */
  transaction(statements: readonly Statement[]): Promise<void>
}

/**
 * Statements as pg runs them, each a transaction that names its actor, in one round trip. One that PostgreSQL rolled back
 * because of a deadlock is run again. @throws ACCOUNT_BUSY where the pool's connections have a timeout for locks, and it is over
 */
export function systemAs(pool: Pool, actor: Actor): System & SystemTransactions {
  const opening: Statement = { text: `select set_config('app.actor', $1, true)`, values: [actor] }
  const run = (statements: readonly Statement[]) =>
    againAfterDeadlock(() =>
      onConnection(pool, (client) => runBatch(client, [opening, ...statements], pgParser)),
    ).catch((error: unknown) => {
      throw isLockTimeout(error) ? new AppError('ACCOUNT_BUSY', { cause: error }) : error
    })
  return {
    async query(query, parameters = []) {
      // By name: the text of a tagged statement is a getter, which spreading would leave behind.
      const { text, values = parameters } = typeof query === 'string' ? { text: query } : query
      const [, answer] = await run([{ text, values }])
      return answer ?? noAnswer()
    },
    transaction: async (statements) => void (await run(statements)),
  }
}
