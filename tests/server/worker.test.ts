import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import pg from 'pg'
import { freePort, startApp, WORKER } from '#support/app-process.ts'
import { workerConnection } from '#support/database.ts'
import { startDatabaseProxy } from '#support/database-proxy.ts'
import { urlOf } from '#support/full-server.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'traxx-worker-'))
  // Root's PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o755)
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function start(variables: Record<string, string>, program?: string[]) {
  const app = startApp({ NODE_ENV: 'test', LOG_LEVEL: 'error', ...variables }, program)
  undo.push(() => {
    app.child.kill('SIGKILL')
    return app.ended
  })
  return app
}

test('without a database that runs, the worker says in one line what to do, and makes none', async () => {
  const dataDir = join(aFolder(), 'data')
  const worker = start({ DATA_DIR: dataDir }, WORKER)
  expect(await worker.ended).toBe(1)
  expect(worker.output().trim()).toBe(
    `TRAXX cannot start: No database is running in ${dataDir}. Start the server first (npm start), or set DATABASE_URL, or the same DATA_DIR as the server.`,
  )
})

test('beside a server whose jobs are off, the worker finds its embedded database, does the jobs, and stops in order', async () => {
  const port = String(await freePort())
  const dataDir = aFolder()
  const server = start({ PORT: port, DATA_DIR: dataDir, JOBS: 'off' })
  await server.says('Reminders are sent by: npm run worker')
  const lastRunAt = async (): Promise<unknown> => {
    const ready: unknown = await (await fetch(`http://localhost:${port}/readyz`)).json()
    return Reflect.get(Object(Reflect.get(Object(ready), 'reminders')), 'lastRunAt')
  }
  expect(await lastRunAt()).toBeNull()
  const worker = start({ PORT: port, DATA_DIR: dataDir }, WORKER)
  await worker.says('TRAXX plans and sends reminders')
  await expect.poll(lastRunAt).toEqual(expect.any(String))
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(await lastRunAt()).toEqual(expect.any(String))
})

test('a worker whose database is away, and has closed every connection, waits for it and then goes on', async () => {
  const connection = await workerConnection()
  const proxy = await startDatabaseProxy(connection)
  undo.push(() => proxy.stop())
  const worker = start({ DATABASE_URL: urlOf(proxy.connection), DATA_DIR: aFolder() }, WORKER)
  await worker.says('TRAXX plans and sends reminders')
  const client = new pg.Client(connection)
  await client.connect()
  undo.push(() => client.end())
  const ended = async () => {
    const { rows } = await client.query<{ ended: number }>(
      `select extract(epoch from ended_at)::float8 as ended from job_runs where name = 'bulk-changes'`,
    )
    return rows[0]?.ended ?? 0
  }
  await expect.poll(ended).toBeGreaterThan(0)
  proxy.conduct('refuse')
  const failures = () => worker.output().split('"job":"bulk-changes"').length - 1
  const isOver = () => worker.child.exitCode !== null || failures() > 2
  await expect.poll(isOver).toBe(true)
  expect(worker.child.exitCode).toBeNull()
  const before = await ended()
  proxy.conduct('pass')
  await expect.poll(ended).toBeGreaterThan(before)
})
