import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
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

/** Counts the transactions that wait for a lock. */
export async function watchQueue({ connection }: Connection) {
  const watcher = new pg.Client(connection)
  await watcher.connect()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const length = async () => (await watcher.query(waiting)).rowCount ?? 0
  return {
    length,
    waitedFor: async (count: number) => {
      while ((await length()) !== count) await pause(5)
    },
    [Symbol.asyncDispose]: () => watcher.end(),
  }
}

/** Whether work is done, or waits for a lock, as soon as it is one of the two. */
export async function doneOrWaiting(world: Connection, work: Promise<unknown>): Promise<'done' | 'waiting'> {
  let isDone = false
  const end = () => void (isDone = true)
  work.then(end, end)
  await using queue = await watchQueue(world)
  while (!isDone && (await queue.length()) === 0) await pause(5)
  return isDone ? 'done' : 'waiting'
}
