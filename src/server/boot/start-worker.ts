import Fastify from 'fastify'
import { migrate } from '#server/db/migrating/migrate.ts'
import { openDatabase } from './open-database.ts'
import type { Env } from '#server/env.ts'
import { logFormat } from '#server/http/log-format.ts'
import { startJobs } from '#server/jobs.ts'
import { joinDatabase, ONE_LOGIN } from './choose-database.ts'
import type { LocalEnvironment } from './local-environment.ts'
import { openServices } from './open-services.ts'

export interface RunningWorker {
  stop: () => Promise<void>
}

/** The jobs alone, apart from any server; what was opened is closed again where a later step fails. */
export async function startWorker(env: Env, local?: LocalEnvironment): Promise<RunningWorker> {
  const stack = new AsyncDisposableStack()
  try {
    const { embedded, connection, logins } = await joinDatabase(env, local)
    stack.defer(async () => embedded?.stop())
    await migrate(connection, logins)
    const db = await openDatabase(connection, logins)
    stack.defer(() => db.close())
    const localServices = await local?.openServices(env, connection)
    stack.defer(async () => localServices?.close())
    const services = await openServices(env, localServices)
    const { log } = Fastify({ logger: logFormat({ level: env.LOG_LEVEL }) })
    if (env.isProduction && !logins) log.warn(ONE_LOGIN)
    const jobs = startJobs({ db, services, log })
    stack.defer(() => jobs.stop())
    return { stop: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
