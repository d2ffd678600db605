import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg, { type PoolConfig } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { MIGRATIONS_FOLDER } from '#server/db/connections/orm-config.ts'
import type { Logins } from '#server/db/connections/logins.ts'
import { migrate } from '#server/db/migrating/migrate.ts'
import { readRows } from '#server/db/rows.ts'
import { inParallelOrFail } from '#server/limits/in-parallel.ts'
import { StartError } from '#server/start-error.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { columnsOf, identifier, migrationsOf } from './back-up.ts'
import { fileKey, Header, HEADER, MANIFEST, Manifest, tableKey, type BackupTable } from './manifest.ts'
import { hashed, openCodec } from './object-codec.ts'

const FILES_AT_ONCE = 8

export interface RestoreParts {
  /** As a superuser, of an empty database. */
  connection: PoolConfig
  logins: Logins | undefined
  /** Creates the tables of stand-ins. */
  prepare: () => Promise<void>
  /** Where the files go. */
  files: FileStore
  /** Where the backup's folder is. */
  source: FileStore
  name: string
  /** What the backup was encrypted with. */
  secret: string | undefined
}

/**
 * Makes an empty database that of a backup, in one transaction, after its files are stored. A database of an older version
 * stays one of that version, until the server starts on it.
 *
 * @throws StartError if the backup is incomplete, not as it was made, or of a newer version, or the database is not empty
 */
export async function restore(parts: RestoreParts): Promise<Manifest> {
  const { connection, logins, prepare, files } = parts
  const { manifest, read } = await openBackup(parts)
  await refuseNewer(manifest)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    // Before anything is changed: somebody may have named the database that is in use.
    if (await isMigrated(client)) await refuseFilled(client)
    await migrate(connection, logins, { last: manifest.migrations.toSorted().at(-1) })
    await refuseOtherVersion(client, manifest)
    await prepare()
    await restoreFiles(manifest, files, read)
    await restoreRows(client, manifest, read)
    return manifest
  } finally {
    await client.end()
  }
}

/** An object of the backup. `check` is called after its last byte. @throws StartError if it is not as it was backed up */
type Read = (key: string) => Promise<{ bytes: ReturnType<typeof hashed>['bytes']; check: (sha256: string) => void }>

async function openBackup({ source, name, secret }: RestoreParts): Promise<{ manifest: Manifest; read: Read }> {
  const header = await headerOf(source, name)
  if (header.salt === null && secret !== undefined) {
    throw new StartError(`${name} is not encrypted. If that is right, restore it without BACKUP_KEY`)
  }
  if (header.salt !== null && secret === undefined) {
    throw new StartError(`${name} is encrypted. Set BACKUP_KEY to what it was made with`)
  }
  const codec = await openCodec(header.salt === null ? undefined : secret, Buffer.from(header.salt ?? '', 'base64'))
  const read: Read = async (key) => {
    const path = `${name}/${key}`
    const stored = await source.open(path).then((file) => file.read())
    const content = hashed(codec.decode(key, stored))
    return {
      bytes: content.bytes,
      check: (sha256) => {
        if (content.sha256() !== sha256) throw new StartError(`${path} is not as it was backed up`)
      },
    }
  }
  return { manifest: await manifestOf(name, source, read), read }
}

async function headerOf(source: FileStore, name: string): Promise<z.output<typeof Header>> {
  if (!(await source.exists(`${name}/${HEADER}`))) throw new StartError(`There is no backup named ${name}`)
  const file = await source.open(`${name}/${HEADER}`)
  const parsed = Header.safeParse(JSON.parse(await text(await file.read())))
  if (!parsed.success) throw new StartError(`${name} has a format that this version does not know`)
  return parsed.data
}

async function manifestOf(name: string, source: FileStore, read: Read): Promise<Manifest> {
  if (!(await source.exists(`${name}/${MANIFEST}`))) {
    throw new StartError(`${name} is incomplete: it was interrupted while it was made`)
  }
  try {
    const { bytes } = await read(MANIFEST)
    return Manifest.parse(JSON.parse(await text(bytes)))
  } catch (error) {
    throw new StartError(`${name} cannot be read: BACKUP_KEY does not match, or the backup was changed`, {
      cause: error,
    })
  }
}

async function refuseNewer({ version, migrations }: Manifest): Promise<void> {
  const known = new Set((await readdir(MIGRATIONS_FOLDER)).map((file) => file.replace(/\.ts$/, '')))
  if (migrations.every((name) => known.has(name.replace(/\.ts$/, '')))) return
  throw new StartError(`The backup was made by a newer TRAXX (${version}). Restore it with that version`)
}

const FoundRow = z.object({ found: z.boolean() })

async function isMigrated(client: pg.Client): Promise<boolean> {
  const [row] = await readRows(client, sql`select to_regclass('public.accounts') is not null as found`, FoundRow)
  return row?.found ?? false
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const [row] = await readRows(client, sql`select exists (select from accounts) as found`, FoundRow)
  if (row?.found)
    throw new StartError('The database is not empty. Restore into another one, such as that of a new DATA_DIR')
}

/** An empty database may have been made by a later version. */
async function refuseOtherVersion(client: pg.Client, { migrations }: Manifest): Promise<void> {
  if ((await migrationsOf(client)).toSorted().join() === migrations.toSorted().join()) return
  throw new StartError(
    'The database was made by another version than the backup. Restore into one that does not exist yet',
  )
}

/** Before any row points at them. */
async function restoreFiles({ files: entries }: Manifest, files: FileStore, read: Read): Promise<void> {
  await inParallelOrFail(entries, { most: FILES_AT_ONCE }, async ({ key, sha256 }) => {
    const { bytes, check } = await read(fileKey(key))
    await files.write(key, bytes)
    check(sha256)
  })
}

async function restoreRows(client: pg.Client, manifest: Manifest, read: Read): Promise<void> {
  await client.query('begin')
  // A server that has been started meanwhile adds no account.
  await client.query('lock table accounts in access exclusive mode')
  await refuseFilled(client)
  // No trigger runs and no reference is checked: all of it was so when it was backed up.
  await client.query(`set local session_replication_role = 'replica'`)
  const names = manifest.tables.map(({ schema, name }) => `${identifier(schema)}.${identifier(name)}`)
  await client.query(`truncate ${names.join(', ')}`)
  for (const table of manifest.tables) await restoreTable(client, table, read)
  for (const { schema, name, value } of manifest.sequences) {
    await client.query('select setval($1, $2)', [`${identifier(schema)}.${identifier(name)}`, value])
  }
  await client.query(
    `create or replace function installation() returns text language sql immutable parallel safe
      as ${pg.escapeLiteral(`select ${pg.escapeLiteral(manifest.installation)}`)}`,
  )
  await client.query('commit')
}

async function restoreTable(client: pg.Client, table: BackupTable, read: Read): Promise<void> {
  const { bytes, check } = await read(tableKey(table))
  const rows = client.query(copyFrom(`copy ${columnsOf(table)} from stdin`))
  await pipeline(bytes, rows)
  check(table.sha256)
  if (rows.rowCount !== table.rows)
    throw new StartError(`${tableKey(table)} has ${rows.rowCount} rows, not ${table.rows}`)
}
