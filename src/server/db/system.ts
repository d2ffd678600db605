import type { Pool, QueryResultRow } from 'pg'
import type { Actor } from './actor.ts'
import { runAsPg, type Answer, type Statement } from './batch.ts'
import { onConnection } from './pool.ts'

interface SystemQuery {
  text: string
  values?: readonly unknown[]
}

/** One statement across accounts. Its rows are to be read with `readRows` (rows.ts). */
export interface System {
  /** The row's type is to be removed once nobody uses it: nobody checks that the rows are like that. */
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
      const [, answer] = await onConnection(pool, (client) => runAsPg(client, [opening, statement]))
      // oxlint-disable-next-line typescript/consistent-type-assertions -- goes with the type of the row
      return (answer ?? { rows: [], rowCount: 0 }) as Answer<Row>
    },
  }
}
