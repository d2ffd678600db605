import type { Pool, PoolClient } from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Actor } from '#server/db/actor.ts'
import type { Database } from '#server/db/database.ts'
import { runBatch } from './batch.ts'
import { isUnreachable, whileUnavailable } from './failover.ts'
import { openQueue } from '#server/db/queue.ts'
import { readRows } from '#server/db/rows.ts'

export type Locks = Pick<Database, 'oneAtATime' | 'unlessRunning'>

interface LockPools {
  locks: Pool
  /** Only for jobs, so that calls that wait for outside services never keep a job from its lock. */
  jobLocks: Pool
}

const MOST_WAITING = 10

/** Locks by name, shared by all processes. Sessions hold them, not transactions: work may wait for outside services. */
export function openLocks({ locks, jobLocks }: LockPools): (actor: Actor) => Locks {
  // So that work of one name never takes all the connections.
  const queue = openQueue<string>()
  return (actor) => {
    const pool = actor.startsWith('job:') ? jobLocks : locks
    // Nobody would retry a job, and Stripe only after an hour.
    const mostWaiting = /^(?:job:|stripe$)/.test(actor) ? Infinity : MOST_WAITING
    return {
      oneAtATime: (name, work) => queue({ name, mostWaiting }, () => whileLocked(pool, name, work)),
      unlessRunning: (name, work) => ifLocked(jobLocks, name, work),
    }
  }
}

function whileLocked<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  return inSession(pool, async (client) => {
    await runBatch(client, [{ text: 'select pg_advisory_lock(hashtextextended($1, 0))', values: [name] }])
    return work()
  })
}

function ifLocked(pool: Pool, name: string, work: () => Promise<void>): Promise<boolean> {
  return inSession(pool, async (client) => {
    const statement = sql`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as "isFree"`
    const [lock] = await readRows(client, statement, LockRow)
    if (lock?.isFree) await work()
    return lock?.isFree === true
  })
}

const LockRow = z.object({ isFree: z.boolean() })

const UNLOCK = { text: 'select pg_advisory_unlock_all()', values: [] }

async function inSession<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await whileUnavailable(() => pool.connect(), isUnreachable)
  try {
    return await work(client)
  } finally {
    const unlocked = await runBatch(client, [UNLOCK]).catch(() => undefined)
    client.release(unlocked === undefined)
  }
}
