import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { World } from './world.ts'

type HeldTable = 'contracts' | 'contract_totals' | 'customers'

/** Holds all rows of a table, so that transactions that want them queue, until what `holder` has written is committed. */
export async function holdRows({ connection }: World, table: HeldTable) {
  const [holder, watcher] = [new pg.Client(connection), new pg.Client(connection)]
  await Promise.all([holder.connect(), watcher.connect()])
  await holder.query('begin')
  await holder.query(`select from ${table} for update`)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return {
    holder,
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
