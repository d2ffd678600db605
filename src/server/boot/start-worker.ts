import Fastify from 'fastify'
import type { OpenStandins } from '#standins/main.ts'
import { findCluster, ONE_LOGIN } from './choose-database.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Env } from '#server/env.ts'
import { startJobs } from '#server/jobs.ts'
import { openServices } from './open-services.ts'

export interface RunningWorker {
  stop: () => Promise<void>
}

/** The jobs alone, apart from any server; what was opened is closed again where a later step fails. */
export async function startWorker(env: Env, openStandins?: OpenStandins): Promise<RunningWorker> {
  const stack = new AsyncDisposableStack()
  try {
    const { embedded, connection, logins } = await findCluster(env)
    stack.defer(async () => embedded?.stop())
    await migrate(connection, logins)
    const db = await openDatabase(connection, logins)
    stack.defer(() => db.close())
    const standins = await openStandins?.(env, connection)
    stack.defer(async () => standins?.close())
    const services = await openServices(env, standins)
    const { log } = Fastify({ logger: { level: env.LOG_LEVEL } })
    if (env.isProduction && !logins) log.warn(ONE_LOGIN)
    const jobs = startJobs({ db, services, log })
    stack.defer(() => jobs.stop())
    return { stop: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
