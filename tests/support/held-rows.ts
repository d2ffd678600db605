import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Write } from '#server/db/database.ts'
import type { World } from './world.ts'

type Connection = Pick<World, 'connection'>
type HeldTable = 'contracts' | 'contract_totals' | 'customers' | 'renewal_settings'

/** Holds all rows of a table, so that transactions that want them queue. */
export function holdRows(world: Connection, table: HeldTable) {
  return holdStatement(world, `select from ${table} for update`)
}

/**
 * Runs a statement as the tables' owner, in a transaction that is open until the release: others queue for what it has
 * locked, for keys of unique indexes that it has written, and for what `holder` writes besides.
 */
export async function holdStatement(world: Connection, text: string, values: unknown[] = []) {
  const holder = new pg.Client(world.connection)
  const [queue] = await Promise.all([watchQueue(world), holder.connect()])
  await holder.query('begin')
  await holder.query(text, values)
  return {
    holder,
    waitedFor: queue.waitedFor,
    release: () => holder.query('commit'),
    [Symbol.asyncDispose]: async () => {
      await holder.end()
      await queue[Symbol.asyncDispose]()
    },
  }
}

/** Waits until so many transactions wait for a lock. */
export async function watchQueue({ connection }: Connection) {
  const watcher = new pg.Client(connection)
  await watcher.connect()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return {
    waitedFor: async (count: number) => {
      while ((await watcher.query(waiting)).rowCount !== count) await pause(5)
    },
    [Symbol.asyncDispose]: () => watcher.end(),
  }
}

/** Whether work is done, or waits for what the transaction of `write` has locked, as soon as it is one of the two. */
export async function doneOrWaiting(
  { connection }: Connection,
  { write, work }: { write: Write; work: Promise<unknown> },
): Promise<'done' | 'waiting'> {
  let isDone = false
  const end = () => void (isDone = true)
  work.then(end, end)
  const [holder] = await write(sql`select pg_backend_pid() as pid`, z.object({ pid: z.int() }))
  const watcher = new pg.Client(connection)
  await watcher.connect()
  const isWaiting = async () =>
    (await watcher.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [holder?.pid])).rowCount
  try {
    while (!isDone && (await isWaiting()) === 0) await pause(5)
    return isDone ? 'done' : 'waiting'
  } finally {
    await watcher.end()
  }
}
