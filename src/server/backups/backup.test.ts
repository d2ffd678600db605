import { setTimeout as pause } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { migrate } from '#server/db/migrating/migrate.ts'
import { attachPdf, removePdf } from '#server/files/files.service.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { readEnv } from '#server/env.ts'
import { createTables } from '#standins/create-tables.ts'
import { makeBackup, restoreBackup } from '#scripts/backup-command.ts'
import { aFolder, aUsedFolder, cleanUp, removeUsedFolder, start } from '#support/embedded-processes.ts'
import { aPdf } from '#support/pdf.ts'
import { memoryFiles } from '#support/services.ts'
import { inDatabase, TEMPLATE } from '#support/template.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { backUp, STORED_FILES } from './back-up.ts'
import type { Manifest } from './manifest.ts'
import { restore } from './restore.ts'

const SECRET = 'a-secret-of-this-test'
const NOW = new Date('2026-03-10T12:00:00Z')

const world = useWorld()
let files: FileStore

beforeEach(async () => {
  files = memoryFiles()
  await fill()
})

afterAll(async () => {
  for (let n = 1; n <= made; n += 1) await onServer(`drop database target_${process.pid}_${n} with (force)`)
  await cleanUp()
  await removeUsedFolder()
})

/** An account with contracts, one of them in the trash, and PDFs, one of them deleted a moment ago. */
async function fill(): Promise<void> {
  const request = await anAccount(world, { services: { files, now: () => NOW } })
  const { id: customerId } = await aCustomer(request, { name: 'Café "Ä", Ltd\\', email: 'orders@harbor.test' })
  const contracts: { id: number }[] = []
  for (let n = 0; n < 4; n += 1) contracts.push(await aContract(request, { customerId, amount: 100 + n }))
  for (const contract of contracts.slice(0, 3)) await attachPdf(request, contract, Readable.from([aPdf()]))
  await asSubscriber(request, (ctx) => removePdf(ctx, { id: contracts[0]?.id ?? 0 }))
  await asSubscriber(request, (ctx) => removeContract(ctx, { id: contracts[1]?.id ?? 0 }))
  // Uploads end for their limit after they were answered.
  const running = `select from rate_limits where key like 'pdfUploadsAtOnce:%'`
  while ((await world.db.system.query(running)).rowCount !== 0) await pause(5)
}

async function ask(connection: pg.PoolConfig, ...texts: string[]): Promise<unknown[][]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const answers = []
    for (const text of texts) answers.push((await client.query<pg.QueryResultRow>(text)).rows)
    return answers
  } finally {
    await client.end()
  }
}

function onServer(text: string) {
  return ask(inDatabase(inject('testServer'), 'postgres'), text)
}

let made = 0

/** A migrated database without rows. */
async function anEmptyDatabase(): Promise<pg.PoolConfig> {
  made += 1
  const name = `target_${process.pid}_${made}`
  await onServer(`create database ${name} template ${TEMPLATE}`)
  return inDatabase(world.connection, name)
}

/** Not encrypted unless the test is about that: deriving a key takes long, as it should. */
async function aBackup(changes: Partial<Parameters<typeof backUp>[0]> = {}) {
  const target = memoryFiles()
  const done = await backUp({
    connection: world.connection,
    files,
    target,
    folder: '',
    secret: undefined,
    now: NOW,
    ...changes,
  })
  return { target, ...done }
}

/** Restores a backup into an empty database. */
async function restored(
  { target: source, name }: { target: FileStore; name: string },
  { secret, connection }: { secret?: string | undefined; connection?: pg.PoolConfig } = {},
) {
  const into = connection ?? (await anEmptyDatabase())
  const store = memoryFiles()
  // The world has the tables of stand-ins if another test of this worker has made them.
  const prepare = () => createTables(readEnv({ SMTP_URL: 'smtp://127.0.0.1:9' }), into)
  const parts = { connection: into, logins: undefined, prepare, files: store, source, name, secret }
  return { into, store, manifest: await restore(parts) }
}

/** All rows, all values of sequences, and what the names of files begin with. */
function contentOf(connection: pg.PoolConfig, { tables, sequences }: Manifest) {
  const kept = tables.filter(({ name }) => name !== 'job_runs')
  return ask(
    connection,
    ...kept.map(({ schema, name }) => `select to_jsonb(t) as row from ${schema}.${name} t order by 1`),
    ...sequences.map(({ schema, name }) => `select last_value, is_called from ${schema}."${name}"`),
    'select installation()',
  )
}

async function bytesOf(store: FileStore, keys: string[]): Promise<Buffer[]> {
  return Promise.all(keys.map(async (key) => buffer(await (await store.open(key)).read())))
}

test.each([
  ['encrypted', SECRET],
  ['not encrypted', undefined],
])('a backup that is %s, restored elsewhere, has the same rows, sequences and files', async (_title, secret) => {
  const backup = await aBackup({ secret })
  const { into, store, manifest } = await restored(backup, { secret })
  expect(manifest).toEqual(backup.manifest)
  expect(await contentOf(into, manifest)).toEqual(await contentOf(world.connection, manifest))
  const keys = manifest.files.map(({ key }) => key)
  expect(keys).toHaveLength(3)
  expect(await bytesOf(store, keys)).toEqual(await bytesOf(files, keys))
  expect(await ask(into, 'select count(*)::int as contracts from contracts')).toEqual([[{ contracts: 4 }]])
})

test('every table of the database is in it, and every column that names a stored file is known', async () => {
  const { manifest } = await aBackup()
  const tables = `select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'standin') and table_type = 'BASE TABLE' and table_name <> 'migrations' order by 1, 2`
  const columns = `select table_name, column_name from information_schema.columns
    where table_schema = 'public' and (column_name = 'path' or column_name like '%\\_path') order by 1, 2`
  const [names, paths] = await ask(world.connection, tables, columns)
  expect(manifest.tables.map(({ schema, name }) => ({ schema, name }))).toEqual(names)
  expect(
    STORED_FILES.map(([table_name, column_name]) => ({ table_name, column_name })).toSorted((a, b) =>
      a.table_name.localeCompare(b.table_name),
    ),
  ).toEqual(paths)
})

test('what is not encrypted by this key, or not whole, or changed is refused, and nothing is restored', async () => {
  const backup = await aBackup({ secret: SECRET })
  const { target, name } = backup
  const connection = await anEmptyDatabase()
  const refused = (reason: RegExp, secret: string | undefined = SECRET) =>
    expect(restored(backup, { secret, connection })).rejects.toThrow(reason)
  const parts = { connection, logins: undefined, prepare: async () => {}, files: memoryFiles(), source: target, name }
  await expect(restore({ ...parts, secret: undefined })).rejects.toThrow('is encrypted. Set BACKUP_KEY')
  await refused(/BACKUP_KEY does not match/, 'another-secret-word')
  await expect(restored({ target, name: 'traxx-none' }, { connection })).rejects.toThrow('no backup named traxx-none')

  const replace = async (key: string, change: (bytes: Buffer) => Buffer) => {
    const [before = Buffer.alloc(0)] = await bytesOf(target, [`${name}/${key}`])
    await target.write(`${name}/${key}`, Readable.from([change(Buffer.from(before))]))
    return () => target.write(`${name}/${key}`, Readable.from([before]))
  }
  const changed = (bytes: Buffer) => bytes.fill((bytes[20] ?? 0) ^ 1, 20, 21)
  for (const key of ['tables/public.contracts', `files/${backup.manifest.files[0]?.key}`, 'manifest.json']) {
    const putBack = await replace(key, changed)
    await refused(/unable to authenticate|BACKUP_KEY does not match/)
    await putBack()
  }
  const cut = await replace('tables/public.customers', (bytes) => bytes.subarray(0, 20))
  await refused(/is cut short/)
  await cut()
  const [customers = Buffer.alloc(0)] = await bytesOf(target, [`${name}/tables/public.customers`])
  const swapped = await replace('tables/public.contracts', () => customers)
  await refused(/unable to authenticate/)
  await swapped()
  const ofAnother = await replace('backup.json', (bytes) =>
    Buffer.from(bytes.toString().replace('"format":1', '"format":2')),
  )
  await refused(/has a format that this version does not know/)
  await ofAnother()
  await target.remove(`${name}/manifest.json`)
  await refused(/is incomplete/)
  expect(await ask(connection, 'select count(*)::int as accounts from accounts')).toEqual([[{ accounts: 0 }]])
})

test('without a key, a changed table is found by its hash', async () => {
  const { target, name } = await aBackup()
  await target.write(`${name}/tables/public.tags`, Readable.from([gzipSync('')]))
  await target.write(`${name}/tables/public.customers`, Readable.from([gzipSync('')]))
  await expect(restored({ target, name }, { secret: SECRET })).rejects.toThrow('is not encrypted. If that is right')
  await expect(restored({ target, name })).rejects.toThrow('public.customers is not as it was backed up')
})

test('a database that has an account, or that a newer version has made, is refused', async () => {
  const backup = await aBackup()
  await expect(restored(backup, { connection: world.connection })).rejects.toThrow('The database is not empty')
  const newer = { ...backup.manifest, version: '9.0.0', migrations: [...backup.manifest.migrations, '9999-later.ts'] }
  const replaceManifest = (manifest: Manifest) =>
    backup.target.write(`${backup.name}/manifest.json`, Readable.from([gzipSync(JSON.stringify(manifest))]))
  await replaceManifest(newer)
  await expect(restored(backup)).rejects.toThrow('made by a newer TRAXX (9.0.0)')
  const older = { ...backup.manifest, migrations: backup.manifest.migrations.toSorted().slice(0, -1) }
  await replaceManifest(older)
  await expect(restored(backup)).rejects.toThrow('made by another version than the backup')
})

test('migrations that ran in another order than that of their names are the same', async () => {
  const plain = await aBackup()
  const mixed = { ...plain.manifest, migrations: plain.manifest.migrations.toReversed() }
  await plain.target.write(`${plain.name}/manifest.json`, Readable.from([gzipSync(JSON.stringify(mixed))]))
  expect(await restored(plain)).toMatchObject({ manifest: mixed })
})

test('rows and files that come while it is made are all in it or not at all', async () => {
  const request = await anAccount(world, { services: { files, now: () => NOW } })
  const { id: customerId } = await aCustomer(request)
  let isAdded = false
  const target: FileStore = {
    ...memoryFiles(),
    write: async (key, bytes) => {
      await buffer(bytes)
      if (isAdded || !key.includes('tables/')) return
      isAdded = true
      // The tables have begun to be copied: what comes now is of another moment.
      const contract = await aContract(request, { customerId })
      await attachPdf(request, contract, Readable.from([aPdf()]))
    },
  }
  const during = await aBackup({ target })
  const after = await aBackup()
  expect(after.manifest.files).toHaveLength(during.manifest.files.length + 1)
  const rowsOf = ({ tables }: Manifest) => tables.find(({ name }) => name === 'contracts')?.rows ?? 0
  expect(rowsOf(after.manifest)).toBe(rowsOf(during.manifest) + 1)
})

test('a file that is deleted just before it is copied is left to the rows of a later moment', async () => {
  const [key = ''] = (await aBackup()).manifest.files.map((file) => file.key)
  const vanishing: FileStore = {
    ...files,
    open: async (asked) => {
      if (asked === key && (await files.exists(key))) {
        await files.remove(key)
        const columns = STORED_FILES.filter(([table]) => table !== 'kept_pdfs')
        for (const [table, column] of columns)
          await ask(world.connection, `update ${table} set ${column} = null where ${column} = '${key}'`)
        await ask(world.connection, `delete from kept_pdfs where path = '${key}'`)
      }
      return files.open(asked)
    },
  }
  const { manifest } = await aBackup({ files: vanishing })
  expect(manifest).toMatchObject({ missing: [] })
  expect(manifest.files.map((file) => file.key)).not.toContain(key)
})

test('a file that is gone is named, and all else is backed up', async () => {
  const [key = ''] = (await aBackup()).manifest.files.map((file) => file.key)
  await files.remove(key)
  const backup = await aBackup()
  expect(backup.manifest.missing).toEqual([key])
  const { manifest } = await restored(backup)
  expect(manifest.files.map((file) => file.key)).not.toContain(key)
})

test('the commands back up what a server uses, and restore it into a new data folder', async () => {
  const [source, target, backups] = [await aUsedFolder(), await aUsedFolder(), aFolder()]
  const running = await start(source)
  await migrate(running.connection, running.logins)
  const addAccount = `insert into accounts (clerk_user_id, email) values ('user_1', 'ann@mill.test')`
  await ask(running.connection, addAccount)
  const key = { BACKUP_KEY: SECRET }
  const made = await makeBackup([backups], { DATA_DIR: source, ...key })
  expect(made).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Backed up \d+ rows and 0 files to traxx-\S+\n$/),
    stderr: '',
  })
  const name = made.stdout.trim().split(' ').at(-1) ?? ''
  const restoring = await restoreBackup([`${backups}/${name}`], { DATA_DIR: target, ...key })
  expect(restoring).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Restored \d+ rows and 0 files, as of /),
    stderr: '',
  })
  const { connection } = await start(target)
  expect(await ask(connection, 'select email from accounts')).toEqual([[{ email: 'ann@mill.test' }]])
})

test.each([[[]], [['a', 'b']]])('say how they are used: %j', async (args) => {
  expect(await makeBackup(args)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('use it as in: npm run backup'),
  })
  expect(await restoreBackup(args)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('npm run restore -- /backups'),
  })
})

test('leave the database of DATABASE_URL to its own tools', async () => {
  const variables = { DATABASE_URL: 'postgres://db.test/traxx' }
  for (const command of [makeBackup, restoreBackup]) {
    expect(await command(['/backups'], variables)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('docs/backup.md'),
    })
  }
})
