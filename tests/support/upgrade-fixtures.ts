import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { MIGRATIONS_TABLE } from '#server/db/connections/orm-config.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/upgrades')
const ENDING = '.json.gz'

type Tables = Record<string, Record<string, unknown>[]>

/** What a database has of its own: its list of migrations, its keys, and counts of the last minutes. */
const LEFT_OUT = [MIGRATIONS_TABLE, 'secrets', 'rate_limits']

/** The last migrations of the versions whose rows are kept. */
export function fixtureNames(): string[] {
  return readdirSync(FIXTURES).flatMap((file) => (file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : []))
}

export function readFixture(name: string): Tables {
  return parseFixture(readFileSync(fixtureFile(name)))
}

export function parseFixture(file: Buffer): Tables {
  return JSON.parse(gunzipSync(file).toString())
}

export function fixtureFile(name: string): string {
  return join(FIXTURES, `${name}${ENDING}`)
}

/** The statements that put these rows into the tables of then, as a restored backup would: triggers do not run. */
export function insertionOf(tables: Tables): string {
  const names = Object.keys(tables)
  const insertions = Object.entries(tables).map(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).join()
    return `insert into ${name} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${name}, ${pg.escapeLiteral(JSON.stringify(rows))});`
  })
  return `set session_replication_role = replica; truncate ${names.join()} cascade; ${insertions.join('\n')} ${SEQUENCES}`
}

const SEQUENCES = `
  do $$ declare found record; begin
    for found in select attrelid::regclass as name, attname as id, pg_get_serial_sequence(attrelid::regclass::text, attname) as ids
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where attidentity <> '' and relnamespace = 'public'::regnamespace
    loop execute format('select setval(%L, max(%I)) from %s having max(%I) > 0', found.ids, found.id, found.name, found.id);
    end loop;
  end $$`

const COLUMNS = `
  select attrelid::regclass::text as name, string_agg(quote_ident(attname), ',' order by attnum) as columns
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attgenerated = ''
    and relname <> all($1) group by attrelid order by 1`

/** All rows of a database, one a line, compressed: what `readFixture` reads. Its user sees the rows of all accounts. */
export async function fixtureOf(client: pg.Client): Promise<Buffer> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(COLUMNS, [LEFT_OUT])
  const parts: string[] = []
  for (const { name, columns } of tables) {
    const statement = `select row_to_json(x)::text as row from (select ${columns} from ${name}) x order by 1`
    const { rows } = await client.query<{ row: string }>(statement)
    if (rows.length > 0) parts.push(`${JSON.stringify(name)}: [\n${rows.map(({ row }) => row).join(',\n')}\n]`)
  }
  return gzipSync(`{\n${parts.join(',\n')}\n}\n`, { level: 9 })
}
