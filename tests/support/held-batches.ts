import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { World } from './world.ts'

const LOCK = 20_260_101

/** Whoever adds the customer of this name waits in the database until they are released. */
export async function holdBatchOf({ connection }: World, name: string) {
  const owner = new pg.Client(connection)
  await owner.connect()
  onTestFinished(async () => {
    await owner.query('drop function hold_batch() cascade')
    await owner.end()
  })
  await owner.query(`
    create function hold_batch() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$;
    create trigger hold_batch before insert on customers
      for each row when (new.name = '${name}') execute function hold_batch();
    select pg_advisory_lock(${LOCK})`)
  // Other tests use the same server at the same time, each worker a database of its own.
  const locks = `from pg_locks where database = (select oid from pg_database where datname = current_database())`
  const waiting = `select ${locks} and locktype = 'advisory' and objid = ${LOCK} and not granted`
  const writing = `select ${locks} and relation = 'customers'::regclass and mode = 'RowExclusiveLock'`
  const countOf = async (statement: string) => (await owner.query(statement)).rowCount
  return {
    reached: async () => {
      await expect.poll(() => countOf(waiting)).toBe(1)
    },
    /** Resolves once the transaction is over, also that of a dead server. */
    release: async () => {
      await owner.query(`select pg_advisory_unlock(${LOCK})`)
      await expect.poll(() => countOf(writing)).toBe(0)
    },
  }
}
