import type pg from 'pg'

/**
 * `possible`: nobody has an account yet. `begun`: a start was cut short while it created the demo. `finished`: it is
 * there. `none`: the database was somebody's before, or the demo was deleted.
 */
type DemoState = 'possible' | 'begun' | 'finished' | 'none'

const TABLE = `
  create schema if not exists standin;
  create table if not exists standin.demo (
    is_only boolean primary key default true check (is_only),
    clerk_user_id text not null,
    finished_at timestamptz
  );`

const STATE = `
  select case when demo.finished_at is null then 'begun' when accounts.id is null then 'none' else 'finished' end as state
  from standin.demo left join accounts using (clerk_user_id)`

export async function readDemoState(client: pg.Client): Promise<DemoState> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('standin.demo') is not null as found`,
  )
  const { rows } = tables[0]?.found ? await client.query<{ state: DemoState }>(STATE) : { rows: [] }
  return rows[0]?.state ?? ((await isAnybodyHere(client)) ? 'none' : 'possible')
}

export async function createDemoTable(client: pg.Client): Promise<void> {
  await client.query(TABLE)
}

/** Remembers whose account it is before that account exists, so that it is known as the demo's own. */
export async function beginDemo(client: pg.Client, clerkUserId: string): Promise<void> {
  await createDemoTable(client)
  await client.query(
    `insert into standin.demo (clerk_user_id) values ($1)
      on conflict (is_only) do update set clerk_user_id = excluded.clerk_user_id`,
    [clerkUserId],
  )
}

export async function finishDemo(client: pg.Client): Promise<void> {
  await client.query('update standin.demo set finished_at = now()')
}

async function isAnybodyHere(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select exists (select from accounts) as found')
  return rows[0]?.found ?? false
}
