import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { World } from './world.ts'

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Whether work is done, or waits for a lock, as soon as it is one of the two. */
export async function doneOrWaiting({ connection }: World, work: Promise<unknown>): Promise<'done' | 'waiting'> {
  let isDone = false
  const end = () => void (isDone = true)
  work.then(end, end)
  const watcher = new pg.Client(connection)
  await watcher.connect()
  try {
    while (!isDone && (await watcher.query(WAITING)).rowCount === 0) await pause(5)
    return isDone ? 'done' : 'waiting'
  } finally {
    await watcher.end()
  }
}

/** Holds all rows of a table, so that transactions that want them queue. */
export async function holdRows({ connection }: World, table: 'contracts' | 'contract_totals') {
  const [holder, watcher] = [new pg.Client(connection), new pg.Client(connection)]
  await Promise.all([holder.connect(), watcher.connect()])
  await holder.query('begin')
  await holder.query(`select from ${table} for update`)
  return {
    waitedFor: async (count: number) => {
      while ((await watcher.query(WAITING)).rowCount !== count) await pause(5)
    },
    release: () => holder.query('commit'),
    [Symbol.asyncDispose]: async () => {
      await holder.end()
      await watcher.end()
    },
  }
}
