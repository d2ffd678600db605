import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MikroORM } from '@mikro-orm/postgresql'
import { Migration } from '@mikro-orm/migrations'
import { expect, test } from 'vitest'
import { MIGRATIONS_FOLDER, ormConfig } from '#server/db/connections/orm-config.ts'
import { lockingStatements } from './locking-migrations.ts'

/** Older ones ran while no server worked. */
const FIRST_CHECKED = '0092'

const FILES = readdirSync(MIGRATIONS_FOLDER).filter((file) => /^\d{4}-.*\.ts$/.test(file))

test.each([
  ['create index a on contracts (id)', 'concurrently'],
  ['create unique index a on contracts (id)', 'concurrently'],
  ['alter table contracts alter id type bigint', 'rewrites'],
  ['alter table contracts add a int, alter column b set data type text', 'rewrites'],
  ['alter table contracts add key uuid not null default gen_random_uuid()', 'rewrites'],
  ['alter table contracts add n int generated always as identity', 'rewrites'],
  ['alter table contracts add d date generated always as (start_date + 1) stored', 'rewrites'],
  ['alter table contracts alter a set not null', 'not null'],
  ['alter table contracts add foreign key (a) references customers', 'not valid'],
  ['alter table contracts add a int references customers', 'not valid'],
  ['alter table contracts add constraint c check (a > 0)', 'not valid'],
  ['alter table contracts add constraint c unique (a)', 'using index'],
  ['alter table contracts rename a to b', 'older version'],
  ['alter table contracts rename to agreements', 'older version'],
  ['alter table contracts drop a', 'older version'],
  ['alter table contracts drop column a', 'older version'],
  ['drop table contracts', 'older version'],
  ['update contracts set a = 1', 'rows'],
  ['do $$ begin lock contracts; end $$', 'not seen'],
  ["select 'a;b'; truncate contracts", 'locks'],
])('%s is refused', (sql, reason) => {
  expect(lockingStatements(sql)).toEqual([{ statement: expect.any(String), reason: expect.stringContaining(reason) }])
})

test.each([
  'create index concurrently a on contracts (id)',
  'create table a (id int primary key, b int references contracts, check (b > 0)); create index c on a (b); alter table a add d serial',
  'alter table contracts add a int',
  "alter table contracts add a text not null default 'x', add b timestamptz default now()",
  'alter table contracts add constraint c check (a > 0) not valid',
  'alter table contracts add constraint c foreign key (a) references customers not valid',
  'alter table contracts validate constraint c',
  'alter table contracts add constraint c unique using index a',
  'alter table contracts alter a drop not null, alter b drop default, drop constraint c',
  'update contracts set a = 1 where id < 1000',
  'create function f() returns int language sql as $$ update contracts set a = 1; select 1 $$',
  'drop trigger t on contracts; create trigger t after update on contracts for each row execute function f()',
  '-- may lock: a row for each company\ncreate index a on companies (id)',
  'alter table contracts drop a -- may break: unused since 0095\n',
])('%s is let through', (sql) => {
  expect(lockingStatements(sql)).toEqual([])
})

test('a comment about one statement says nothing about the next, and one about locks nothing about what breaks', () => {
  expect(lockingStatements('-- may lock: small\ncreate index a on b (c); create index d on e (f)')).toHaveLength(1)
  expect(lockingStatements('-- may lock: small\nalter table a rename b to c')).toHaveLength(1)
})

test('migrations keep older and newer servers working side by side', async () => {
  expect(await findingsOf((file) => file >= FIRST_CHECKED)).toEqual([])
})

test('the statements of migrations are found, of those too that were written before this was checked', async () => {
  expect(await findingsOf((file) => file.startsWith('0089-'))).toHaveLength(3)
})

async function findingsOf(isChecked: (file: string) => boolean): Promise<string[]> {
  const orm = new MikroORM(ormConfig({}))
  const findings: string[] = []
  for (const file of FILES.filter(isChecked)) {
    const migration = firstMigration(await import(join(MIGRATIONS_FOLDER, file)), orm)
    await migration.up()
    const sql = migration.getQueries().map(textOf).join(';\n')
    findings.push(...lockingStatements(sql).map(({ statement, reason }) => `${file}: ${statement}: ${reason}`))
  }
  return findings
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  throw new Error('A migration that is not plain SQL cannot be checked')
}

function firstMigration(module: object, orm: MikroORM): Migration {
  for (const exported of Object.values(module)) {
    if (typeof exported !== 'function' || !(exported.prototype instanceof Migration)) continue
    const migration: unknown = Reflect.construct(exported, [orm.em.getDriver(), orm.config])
    if (migration instanceof Migration) return migration
  }
  throw new Error('The file exports no migration')
}
