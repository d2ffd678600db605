import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  aFolder,
  aUsedFolder,
  anAppProcess,
  ask,
  cleanUp,
  kill,
  removeUsedFolder,
  serverProcess,
  spawnApp,
  start,
  untilStopped,
} from '#support/embedded-processes.ts'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startEmbedded } from './embedded-postgres.ts'
import { isRoot } from './server-user.ts'

afterEach(cleanUp)
afterAll(removeUsedFolder)

test('an empty folder becomes a PostgreSQL 18 that keeps what is written', async () => {
  const folder = aFolder()
  const first = await start(folder)
  expect(first).toMatchObject({ created: true, adopted: false, moved: false, location: join(folder, 'postgres') })
  await ask(first.connection, 'create table kept as select 7 as number')
  await first.stop()
  await untilStopped(first.connection)

  const second = await start(folder)
  expect(second).toMatchObject({ created: false, adopted: false })
  expect(await ask(second.connection, 'select number from kept')).toEqual([{ number: 7 }])
  expect(await ask(second.connection, 'show server_version_num')).toEqual([
    { server_version_num: expect.stringMatching(/^18/) },
  ])
})

test('texts are compared by code point, and nobody reaches the server but by its own folder', async () => {
  const { connection } = await start(await aUsedFolder())
  const facts = `select datlocprovider, datlocale, current_setting('listen_addresses') as addresses
    from pg_database where datname = current_database()`
  expect(await ask(connection, facts)).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8', addresses: '' }])
  expect(statSync(connection.host).mode & 0o777).toBe(0o700)
})

test('a second process joins the running server and keeps it when the first is killed', async () => {
  const folder = await aUsedFolder()
  const first = await anAppProcess(folder)
  const second = await start(folder)
  expect(second).toMatchObject({ created: false, adopted: true })

  await first.kill()
  expect(await ask(second.connection, 'select count(*)::int >= 0 as counted from numbers')).toEqual([{ counted: true }])
  await second.stop()
  await untilStopped(second.connection)
})

test('processes that start at the same instant share one server', async () => {
  const folder = aFolder()
  const apps = await Promise.all([1, 2, 3].map(() => anAppProcess(folder)))
  expect(apps.filter((app) => app.created)).toHaveLength(1)
  expect(new Set(apps.map((app) => app.connection.host)).size).toBe(1)
  expect(readdirSync(join(folder, 'postgres')).filter((name) => name.includes('init'))).toEqual([])
})

test('a server whose only app is killed stops by itself, and nothing committed is lost', async () => {
  const folder = await aUsedFolder()
  const app = await anAppProcess(folder)
  await expect.poll(() => app.committed()).toBeGreaterThan(20)
  await app.kill()
  await untilStopped(app.connection)

  const { connection } = await start(folder)
  expect(await ask(connection, `select count(*)::int >= ${app.committed()} as all_there from numbers`)).toEqual([
    { all_there: true },
  ])
})

test('an app that starts while the server of a killed one is still stopping gets a working server', async () => {
  const folder = await aUsedFolder()
  for (let round = 0; round < 3; round++) {
    const app = await anAppProcess(folder)
    await app.kill()
  }
  const { connection } = await start(folder)
  expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a server that is killed is started again for the app that runs, and nothing committed is lost', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const folder = await aUsedFolder()
  const { connection } = await start(folder)
  await ask(connection, 'create table kept as select 7 as number')
  const killed = serverProcess(join(folder, 'postgres'))
  process.kill(killed, 'SIGKILL')
  const number = await vi.waitFor(() => ask(connection, 'select number from kept'), { timeout: 120_000, interval: 100 })
  expect(number).toEqual([{ number: 7 }])
  expect(serverProcess(join(folder, 'postgres'))).not.toBe(killed)
  expect(warn).toHaveBeenCalledOnce()
})

test('when the app and the server are killed together, nothing committed is lost', async () => {
  const folder = await aUsedFolder()
  const app = await anAppProcess(folder)
  await expect.poll(() => app.committed()).toBeGreaterThan(20)
  process.kill(serverProcess(join(folder, 'postgres')), 'SIGKILL')
  await app.kill()

  const { connection } = await start(folder)
  expect(await ask(connection, `select count(*)::int >= ${app.committed()} as all_there from numbers`)).toEqual([
    { all_there: true },
  ])
})

test('a killed server whose process number another program has now does not keep the next from starting', async () => {
  const folder = await aUsedFolder()
  const { location, stop } = await start(folder)
  await stop()
  const left = join(location, 'data/postmaster.pid')
  writeFileSync(left, `${process.pid}\n${location}/data\n1\n5432\n\n\n`)
  // As its own user has left it, whatever mode files are made with.
  chmodSync(left, 0o644)

  const { connection } = await start(folder)
  expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('an app that is killed while it makes its cluster leaves nothing half-made', async () => {
  const folder = aFolder()
  const app = spawnApp(folder)
  await vi.waitFor(
    () => expect(readdirSync(join(folder, 'postgres')).some((name) => name.startsWith('data.init'))).toBe(true),
    { interval: 2, timeout: 120_000 },
  )
  await kill(app)
  expect(existsSync(join(folder, 'postgres/data'))).toBe(false)

  const { created, location } = await start(folder)
  expect(created).toBe(true)
  expect(readdirSync(location).filter((name) => name.startsWith('data.'))).toEqual([])
})

test.each(['19', '17'])('a folder of PostgreSQL %s is refused and left as it was', async (version) => {
  const folder = aFolder()
  const data = join(folder, 'postgres/data')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'PG_VERSION'), `${version}\n`)
  const before = listing(folder)

  await expect(startEmbedded({ dataDir: folder })).rejects.toThrow(
    `was made by PostgreSQL ${version}, and this is PostgreSQL 18.`,
  )
  expect(listing(folder)).toEqual(before)
})

test('a folder that is not a cluster is refused and left as it was', async () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'postgres/data'), { recursive: true })
  writeFileSync(join(folder, 'postgres/data/novel.txt'), 'Once')

  await expect(startEmbedded({ dataDir: folder })).rejects.toThrow('is not a PostgreSQL data folder')
  expect(readFileSync(join(folder, 'postgres/data/novel.txt'), 'utf8')).toBe('Once')
})

test('a folder that cannot be made or written to is refused in one line', async () => {
  const file = join(aFolder(), 'file')
  writeFileSync(file, '')
  await expect(startEmbedded({ dataDir: join(file, 'data') })).rejects.toThrow(
    /^The data folder .* cannot be written to \(ENOTDIR\)/,
  )
})

test('a server that cannot start says why', async () => {
  const folder = await aUsedFolder()
  const { location, stop } = await start(folder)
  await stop()
  writeFileSync(join(location, 'data/postgresql.conf'), 'no_such_setting = 1\n')
  await expect(startEmbedded({ dataDir: folder })).rejects.toThrow(/^PostgreSQL did not start: .*configuration file/)
})

test('a path that is too long for a socket works', async () => {
  const folder = await aUsedFolder(join(aFolder(), 'long'.repeat(30)))
  const { connection, location } = await start(folder)
  expect(location).toBe(join(folder, 'postgres'))
  expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.runIf(isRoot())(
  'what root starts in a folder that only root may enter lives elsewhere, and is found again',
  async () => {
    const folder = aFolder(0o700)
    const first = await start(folder)
    expect(first).toMatchObject({ moved: true, created: true })
    expect(first.location).not.toContain(folder)
    await first.stop()

    const second = await start(folder)
    expect(second).toMatchObject({ moved: true, created: false, location: first.location })
  },
)

function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const { uid, mode, mtimeMs } = statSync(path)
    return `${path} ${uid} ${mode} ${mtimeMs}`
  })
}
