import type { Pool } from 'pg'
import type { Actor } from '#server/db/actor.ts'
import { noAnswer, pgParser, runBatch, type Answer, type Statement } from './batch.ts'
import { onConnection } from './pool.ts'
import { againAfterDeadlock } from '#server/db/violations.ts'

interface SystemQuery {
  text: string
  values?: readonly unknown[]
}

/** One statement across accounts. Read its rows with `readRows` (rows.ts). */
export interface System {
  query(query: string | SystemQuery, values?: readonly unknown[]): Promise<Answer>
}

/**
 * Statements as pg runs them, each a transaction that names its actor, in one round trip. One that PostgreSQL rolled back
 * because of a deadlock is run again.
 */
export function systemAs(pool: Pool, actor: Actor): System {
  const opening: Statement = { text: `select set_config('app.actor', $1, true)`, values: [actor] }
  return {
    async query(query, parameters = []) {
      // By name: the text of a tagged statement is a getter, which spreading would leave behind.
      const { text, values = parameters } = typeof query === 'string' ? { text: query } : query
      const run = () => onConnection(pool, (client) => runBatch(client, [opening, { text, values }], pgParser))
      const [, answer] = await againAfterDeadlock(run)
      return answer ?? noAnswer()
    },
  }
}
