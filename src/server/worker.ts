import { resolve } from 'node:path'
import Fastify from 'fastify'
import type { PoolConfig } from 'pg'
import type { OpenStandins } from '#standins/main.ts'
import { openDatabase } from './db/database.ts'
import { joinEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import type { Env } from './env.ts'
import { startJobs } from './jobs.ts'
import { openServices } from './services.ts'
import { StartError } from './start-error.ts'

export interface RunningWorker {
  stop: () => Promise<void>
}

/** The jobs alone, apart from any server; what was opened is closed again where a later step fails. */
export async function startWorker(env: Env, openStandins?: OpenStandins): Promise<RunningWorker> {
  const stack = new AsyncDisposableStack()
  try {
    const { connection, leave } = await findCluster(env)
    stack.defer(leave)
    await migrate(connection)
    const db = await openDatabase(connection)
    stack.defer(() => db.close())
    const standins = await openStandins?.(env, connection)
    stack.defer(async () => standins?.close())
    const services = await openServices(env, standins)
    const { log } = Fastify({ logger: { level: env.LOG_LEVEL } })
    const jobs = startJobs({ db, services, log })
    stack.defer(() => jobs.stop())
    return { stop: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** The PostgreSQL of DATABASE_URL, or the embedded one that a server has started. */
async function findCluster(env: Env): Promise<{ connection: PoolConfig; leave: () => Promise<void> }> {
  if (env.DATABASE_URL) return { connection: { connectionString: env.DATABASE_URL }, leave: async () => {} }
  const dataDir = resolve(env.DATA_DIR)
  const embedded = await joinEmbedded({ dataDir })
  if (embedded) return { connection: embedded.connection, leave: embedded.stop }
  throw new StartError(
    `No database runs in ${dataDir}. Start the server first (npm start), or set DATABASE_URL, and DATA_DIR as the server has it.`,
  )
}
