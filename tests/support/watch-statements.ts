import type pg from 'pg'

const LAST = `
  select pid || ' ' || state_change as last from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`

/** Returns what counts the other connections of the client's database that have run a statement since. */
export async function watchStatements(client: pg.Client): Promise<() => Promise<number>> {
  const lastStatements = async () => (await client.query<{ last: string }>(LAST)).rows.map(({ last }) => last)
  const before = new Set(await lastStatements())
  return async () => (await lastStatements()).filter((last) => !before.has(last)).length
}
