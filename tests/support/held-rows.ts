import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { World } from './world.ts'

type Connection = Pick<World, 'connection'>

/** Holds all rows of a table, so that transactions that want them queue. */
export function holdRows(world: Connection, table: 'contracts' | 'contract_totals') {
  return holdStatement(world, `select from ${table} for update`)
}

/**
 * Runs a statement as the tables' owner, in a transaction that is open until the release: others queue for what it has
 * locked, and for keys of unique indexes that it has written.
 */
export async function holdStatement({ connection }: Connection, text: string, values: unknown[] = []) {
  const [holder, watcher] = [new pg.Client(connection), new pg.Client(connection)]
  await Promise.all([holder.connect(), watcher.connect()])
  await holder.query('begin')
  await holder.query(text, values)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return {
    waitedFor: async (count: number) => {
      while ((await watcher.query(waiting)).rowCount !== count) await pause(5)
    },
    release: () => holder.query('commit'),
    [Symbol.asyncDispose]: async () => {
      await holder.end()
      await watcher.end()
    },
  }
}
