import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { World } from './world.ts'

/** Writes are noted by triggers. Reads, which may not write, are told of by policies that let every row through. */
const RECORDER = `
  create schema if not exists recorder;
  grant usage on schema recorder to public;
  create table if not exists recorder.writes (name text not null, actor text);
  create or replace function recorder.note() returns trigger language plpgsql security definer as $$
    begin
      insert into recorder.writes values (tg_table_name, current_setting('app.actor', true));
      return null;
    end $$;
  create or replace function recorder.tell(name text) returns boolean language plpgsql as $$
    begin
      perform pg_notify('reads', json_build_object('name', name, 'actor', current_setting('app.actor', true))::text);
      return true;
    end $$;
  do $$
  declare name text;
  begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    loop
      execute format('create or replace trigger recorder after insert or update or delete on public.%I
        for each statement execute function recorder.note()', name);
      execute format('drop policy if exists recorder on public.%I', name);
      execute format('create policy recorder on public.%I as restrictive for select using (recorder.tell(%L))', name, name);
    end loop;
  end $$`

interface Access {
  /** Of the table. */
  name: string
  actor: string | null
}

/** Notes for every statement that writes or reads rows of accounts who it is done for, as the database itself knows it. */
export function recordActors(world: World) {
  let owner: pg.Client
  let reads: Access[] = []
  /** What has been told of so far comes before the answer to the second statement. */
  const listen = async () => {
    await run('select')
    await run('select')
  }
  const run = async <Row extends object>(text: string) => (await owner.query<Row>(text)).rows
  beforeAll(async () => {
    owner = new pg.Client(world.connection)
    await owner.connect()
    owner.on('notification', ({ payload = '' }) => void reads.push(JSON.parse(payload)))
    await run(RECORDER)
    await run('listen reads')
  })
  afterAll(async () => {
    await run('drop schema recorder cascade')
    await owner.end()
  })
  return {
    forget: async () => {
      await run('truncate recorder.writes')
      await listen()
      reads = []
    },
    writes: () => run<Access>('select distinct name, actor from recorder.writes order by name, actor'),
    reads: async () => {
      await listen()
      return reads
    },
  }
}
