import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { World } from './world.ts'

const RECORDER = `
  create schema if not exists recorder;
  create table if not exists recorder.writes (name text not null, actor text);
  create or replace function recorder.note() returns trigger language plpgsql security definer as $$
    begin
      insert into recorder.writes values (tg_table_name, current_setting('app.actor', true));
      return null;
    end $$;
  do $$
  declare name text;
  begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    loop
      execute format('create or replace trigger recorder after insert or update or delete on public.%I
        for each statement execute function recorder.note()', name);
    end loop;
  end $$`

interface Write {
  /** Of the table. */
  name: string
  actor: string | null
}

/** Notes for every statement that writes who it is done for, as the database itself knows it. */
export function recordActors(world: World) {
  const run = async <Row extends object>(text: string) => {
    const owner = new pg.Client(world.connection)
    await owner.connect()
    const { rows } = await owner.query<Row>(text)
    await owner.end()
    return rows
  }
  beforeAll(() => run(RECORDER))
  afterAll(() => run('drop schema recorder cascade'))
  return {
    forget: () => run('truncate recorder.writes'),
    writes: () => run<Write>('select distinct name, actor from recorder.writes order by name, actor'),
  }
}
