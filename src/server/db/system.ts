import type { Pool, QueryResultRow } from 'pg'
import type { Actor } from './actor.ts'
import { runAsPg, type Answer, type Statement } from './batch.ts'
import { onConnection } from './on-connection.ts'

interface SystemQuery {
  text: string
  values?: readonly unknown[]
}

/** One statement across accounts. */
export interface System {
  query<Row extends QueryResultRow = QueryResultRow>(
    query: string | SystemQuery,
    values?: readonly unknown[],
  ): Promise<Answer<Row>>
}

/** Statements as pg runs them, each a transaction that names its actor, in one round trip. */
export function systemAs(pool: Pool, actor: Actor): System {
  const opening: Statement = { text: `select set_config('app.actor', $1, true)`, values: [actor] }
  return {
    async query<Row extends QueryResultRow>(query: string | SystemQuery, values: readonly unknown[] = []) {
      const statement = typeof query === 'string' ? { text: query, values } : { values, ...query }
      const [, answer] = await onConnection(pool, (client) => runAsPg<Row>(client, [opening, statement]))
      return answer ?? { rows: [], rowCount: 0 }
    },
  }
}
