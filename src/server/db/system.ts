import type { Pool } from 'pg'
import type { Actor } from './actor.ts'
import { noAnswer, runAsPg, type Answer, type Statement } from './batch.ts'
import { onConnection } from './pool.ts'
import { isDeadlock } from './violations.ts'

const ATTEMPTS = 3

interface SystemQuery {
  text: string
  values?: readonly unknown[]
}

/** One statement across accounts. Its rows are to be read with `readRows` (rows.ts). */
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
      const run = () => onConnection(pool, (client) => runAsPg(client, [opening, { text, values }]))
      const [, answer] = await againAfterDeadlock(run)
      return answer ?? noAnswer()
    },
  }
}

async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error
    }
  }
}
