import type { Pool } from 'pg'
import { runBatch, type Statement } from './batch.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Planning } from '#server/db/database.ts'
import { onConnection } from './pool.ts'

/**
 * One statement in one round trip, for the account that `opening` sets. The statement's transaction begins and ends
 * with it, and the pool's connections only allow reading.
 */
export async function read(pool: Pool, opening: Statement, statement: Statement): Promise<unknown[]> {
  const [, answer] = await onConnection(pool, (client) => runBatch(client, [opening, statement]))
  return answer?.rows ?? []
}

const WHO = `set_config('app.account_id', $1, true), set_config('app.actor', $2, true)`
const EACH_TIME = `set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'on', true)`
const TRASH = `set_config('app.trash', 'on', true)`

/** Whose rows are accessed, and by whom. */
export interface Acting {
  accountId: number
  actor: Actor
  /** Whether what is in the trash is in sight. */
  trash?: boolean | undefined
}

/** Lets the account's rows through row-level security, and names the actor, until the transaction ends. */
export function asAccount({ accountId, actor, trash }: Acting, planning: Planning = 'once'): Statement {
  const settings = [WHO, ...(planning === 'once' ? [] : [EACH_TIME]), ...(trash ? [TRASH] : [])]
  return { text: `select ${settings.join(', ')}`, values: [accountId, actor] }
}
