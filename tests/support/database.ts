import pg from 'pg'
import { inject } from 'vitest'
import { MIGRATIONS_TABLE } from '#server/db/orm-config.ts'
import { inDatabase, TEMPLATE } from './template.ts'

/**
 * Tests share a server (see cluster.ts), and every Vitest worker has a database of its own on it. A test file calls
 * `workerConnection()` once, in `beforeAll`, and finds it empty; `emptyDatabase(connection)` in `beforeEach` or
 * `afterEach` gives every test the same.
 */
export async function workerConnection(): Promise<pg.PoolConfig> {
  const server = inject('testServer')
  const name = `t_${process.env['VITEST_POOL_ID'] ?? '1'}`
  const connection = inDatabase(server, name)
  if (await makeDatabase(server, name)) return connection

  await emptyDatabase(connection)
  return connection
}

/** Empties every table but the list of migrations and the secrets, and starts ids at 1 again. Untouched tables cost next to nothing. */
export async function emptyDatabase(connection: pg.PoolConfig): Promise<void> {
  await poolOf(connection).query(EMPTY)
}

/**
 * A table is emptied when it has rows, when its ids have been drawn, or when row-level security may hide its rows. Few
 * rows are deleted, without triggers, which takes a superuser: truncation makes new files for a table and its indexes.
 */
const EMPTY = `
do $$
declare
  candidate regclass;
  ids regclass;
  filled boolean;
  large text[] := '{}';
  is_super boolean := (select rolsuper from pg_roles where rolname = current_user);
  sees_all boolean := (select rolsuper or rolbypassrls from pg_roles where rolname = current_user);
begin
  if is_super then perform set_config('session_replication_role', 'replica', true); end if;
  for candidate in
    select oid from pg_class
    where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'standin')
      and relname not in ('${MIGRATIONS_TABLE}', 'secrets')
  loop
    select seqrelid into ids from pg_depend join pg_sequence on seqrelid = objid
      where refobjid = candidate and pg_sequence_last_value(seqrelid) is not null;
    execute format('select exists (select from %s)', candidate) into filled;
    if not is_super or pg_relation_size(candidate) > 200000 then
      if filled or not sees_all or ids is not null then large := large || candidate::text; end if;
      continue;
    end if;
    if filled then execute format('delete from %s', candidate); end if;
    if ids is not null then perform setval(ids, 1, false); end if;
  end loop;
  if large <> '{}' then
    execute 'truncate ' || array_to_string(large, ', ') || ' restart identity cascade';
  end if;
end $$`

const pools = new Map<string, pg.Pool>()

function poolOf(connection: pg.PoolConfig): pg.Pool {
  const key = JSON.stringify(connection)
  const pool = pools.get(key) ?? new pg.Pool({ ...connection, max: 1, allowExitOnIdle: true })
  if (!pools.has(key)) pool.on('error', () => {})
  pools.set(key, pool)
  return pool
}

/** False when an earlier test file of this worker has made it. */
async function makeDatabase(server: pg.PoolConfig, name: string): Promise<boolean> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`)
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42P04') return false
    throw error
  } finally {
    await client.end()
  }
}
