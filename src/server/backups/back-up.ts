import { Readable } from 'node:stream'
import pg, { type PoolConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import manifest from '#package' with { type: 'json' }
import { MIGRATIONS_TABLE } from '#server/db/connections/orm-config.ts'
import { readRows } from '#server/db/rows.ts'
import { inParallelOrFail } from '#server/limits/in-parallel.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { fileKey, HEADER, MANIFEST, tableKey, type BackupTable, type Manifest } from './manifest.ts'
import { hashed, newSalt, openCodec, type ObjectCodec } from './object-codec.ts'

/** `standin` holds what stands in for Clerk, Stripe and the mail server. */
const SCHEMAS = ['public', 'standin']
/** The columns that hold the keys of stored files, and their tables. */
export const STORED_FILES = [
  ['contracts', 'pdf_path'],
  ['companies', 'logo_path'],
  ['kept_pdfs', 'path'],
] as const
const FILES_AT_ONCE = 8
const MOST_ATTEMPTS = 5

export interface BackupParts {
  /** As a superuser: row-level security binds the owner of the tables too. */
  connection: PoolConfig
  files: FileStore
  /** Where backups go, each into a folder of its own within this one. */
  target: FileStore
  folder: string
  /** What encrypts it; at least 16 characters. */
  secret: string | undefined
  now: Date
}

export interface BackedUp {
  /** The backup's own folder. */
  name: string
  manifest: Manifest
}

/**
 * Copies all rows as of one moment, and the files that they point at, while the server works. A file that is deleted before
 * it is copied leads to a later moment; one that is not there at all is named in the manifest.
 */
export async function backUp({ connection, files, target, folder, secret, now }: BackupParts): Promise<BackedUp> {
  const name = `${folder && `${folder}/`}traxx-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const salt = newSalt()
  const codec = await openCodec(secret, salt)
  const store = storeIn(target, name, codec)
  const header = { format: 2, salt: secret === undefined ? null : salt.toString('base64') }
  await target.write(`${name}/${HEADER}`, Readable.from([JSON.stringify(header)]))
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const copied = new Map<string, string>()
    const missing = await beginWithFiles(client, { files, store, copied })
    const whole: Manifest = {
      version: manifest.version,
      madeAt: now.toISOString(),
      installation: await installationOf(client),
      migrations: await migrationsOf(client),
      tables: await copyTables(client, store),
      sequences: await readRows(client, SEQUENCES, SequenceRow),
      files: [...copied].map(([key, sha256]) => ({ key, sha256 })),
      missing,
    }
    await client.query('commit')
    await noteRun(client, now)
    await store(MANIFEST, Readable.from([JSON.stringify(whole)]))
    return { name, manifest: whole }
  } finally {
    await client.end()
  }
}

type Store = (key: string, bytes: Readable) => Promise<string>

/** Writes an object, and tells the hash of its content. */
function storeIn(target: FileStore, name: string, codec: ObjectCodec): Store {
  return async (key, bytes) => {
    const content = hashed(bytes)
    await target.write(`${name}/${key}`, codec.encode(key, content.bytes))
    return content.sha256()
  }
}

interface Copying {
  files: FileStore
  store: Store
  /** The hash of each that is copied, by its key. */
  copied: Map<string, string>
}

/** Begins a transaction all of whose files are copied. Files from before are copied outside of it, as that can take long. */
async function beginWithFiles(client: pg.Client, copying: Copying): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    await copyFiles(await storedFiles(client), copying)
    await client.query('begin isolation level repeatable read read only')
    const missing = await copyFiles(await storedFiles(client), copying)
    if (missing.length === 0 || attempt === MOST_ATTEMPTS) return missing
    await client.query('rollback')
  }
}

/** Returns those that are not there. */
async function copyFiles(keys: string[], { files, store, copied }: Copying): Promise<string[]> {
  const open = keys.filter((key) => !copied.has(key))
  const results = await inParallelOrFail(open, { most: FILES_AT_ONCE }, async (key) => {
    try {
      const file = await files.open(key)
      copied.set(key, await store(fileKey(key), await file.read()))
      return undefined
    } catch (error) {
      if (await files.exists(key)) throw error
      return key
    }
  })
  return results.filter((key) => key !== undefined)
}

const KeyRow = z.object({ key: z.string() })

async function storedFiles(client: pg.Client): Promise<string[]> {
  const parts = STORED_FILES.map(
    ([table, column]) => `select ${column} as key from ${table} where ${column} is not null`,
  )
  const rows = await readRows(client, sql`${raw(parts.join(' union '))} order by key`, KeyRow)
  return rows.map(({ key }) => key)
}

const InstallationRow = z.object({ installation: z.string() })

async function installationOf(client: pg.Client): Promise<string> {
  const [row] = await readRows(client, sql`select installation()`, InstallationRow)
  return row?.installation ?? ''
}

const NameRow = z.object({ name: z.string() })

/** In the order in which they ran. */
export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const rows = await readRows(client, sql`select name from ${raw(MIGRATIONS_TABLE)} order by id`, NameRow)
  return rows.map(({ name }) => name)
}

/** Every table but that of the migrations, with the columns that are stored. */
const TABLES: Sql = sql`
  select n.nspname as schema, c.relname as name,
    json_agg(a.attname order by a.attnum) filter (where a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' and n.nspname = any(${SCHEMAS}) and c.relname <> ${MIGRATIONS_TABLE}
  group by 1, 2 order by 1, 2`

const TableRow = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })

/** Sequences do not follow transactions: these values are at least as high as any number in the rows. */
const SEQUENCES: Sql = sql`
  select schemaname as schema, sequencename as name, last_value::float8 as value from pg_sequences
  where last_value is not null and schemaname = any(${SCHEMAS}) and sequencename not like ${`${MIGRATIONS_TABLE}\\_%`}
  order by 1, 2`

const SequenceRow = z.object({ schema: z.string(), name: z.string(), value: z.int() })

async function copyTables(client: pg.Client, store: Store): Promise<BackupTable[]> {
  const tables: BackupTable[] = []
  for (const table of await readRows(client, TABLES, TableRow)) {
    const rows = client.query(copyTo(`copy ${columnsOf(table)} to stdout`))
    const sha256 = await store(tableKey(table), rows)
    tables.push({ ...table, rows: rows.rowCount, sha256 })
  }
  return tables
}

/** A table and its columns, for `copy`. */
export function columnsOf({ schema, name, columns }: Omit<BackupTable, 'rows' | 'sha256'>): string {
  return `${identifier(schema)}.${identifier(name)} (${columns.map(identifier).join(', ')})`
}

export function identifier(name: string): string {
  return pg.escapeIdentifier(name)
}

/** For `traxx_job_last_end_seconds`, which tells how old the latest backup is. */
async function noteRun(client: pg.Client, beganAt: Date): Promise<void> {
  await client.query(
    `insert into job_runs (name, began_at, ended_at) values ('backup', $1, now())
      on conflict (name) do update set began_at = excluded.began_at, ended_at = excluded.ended_at`,
    [beganAt],
  )
}
