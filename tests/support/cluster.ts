import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#standins/postgres/embedded-postgres.ts'
import { migrate } from '#server/db/migrating/migrate.ts'
import { inDatabase, TEMPLATE } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testServer: pg.PoolConfig
  }
}

interface Server {
  connection: pg.PoolConfig
  tearDown: () => Promise<void>
}

/** The data is disposable, and tables are emptied before they need a vacuum. */
const CARELESS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  io_method: 'sync',
  scram_iterations: '1',
  max_connections: '200',
}

/**
 * One PostgreSQL for the whole run: that of TEST_DATABASE_URL, or one of its own in a temporary folder. It gets a
 * migrated template, of which every worker makes its database (see database.ts).
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const { connection, tearDown } = given ? foreignServer(given) : await ownServer()
  try {
    await makeTemplate(connection)
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('testServer', connection)
  return tearDown
}

function foreignServer(connectionString: string): Server {
  return { connection: { connectionString }, tearDown: async () => {} }
}

async function ownServer(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'traxx-test-'))
  // Root's PostgreSQL runs as another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  const { connection, location, stop } = await startEmbedded({ dataDir, settings: CARELESS })
  const tearDown = async () => {
    await stop()
    for (const folder of [location, dataDir]) rmSync(folder, { recursive: true, force: true })
  }
  return { connection, tearDown }
}

async function makeTemplate(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname ~ '^t_\\d+$' or datname = '${TEMPLATE}'`,
  )
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(inDatabase(connection, TEMPLATE))
}
