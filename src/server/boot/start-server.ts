import { resolve } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { migrate } from '#server/db/migrating/migrate.ts'
import { openDatabase } from './open-database.ts'
import type { Env } from '#server/env.ts'
import { buildApp } from './build-app.ts'
import type { MetricsAccess } from '#server/http/metrics.ts'
import { openCallers } from '#server/identity/callers.ts'
import { startJobs } from '#server/jobs.ts'
import { builtPages, type Pages } from '#server/pages/built-pages.ts'
import { debugPage } from '#server/pages/debug-page.ts'
import { StartError } from '#server/start-error.ts'
import { chooseDatabase, ONE_LOGIN } from './choose-database.ts'
import { replacedLocally } from '#server/security/env-safety.ts'
import type { LocalEnvironment, RunningServer } from './local-environment.ts'
import { openServices } from './open-services.ts'
import { originsOf } from './origins.ts'

export interface ServerParts {
  /** Undefined in production. */
  local?: LocalEnvironment | undefined
  pages?: Pages
  /** Serves what the pages need besides: Vite, while developing. */
  plugin?: FastifyPluginAsync
}

const STOP_MS = 3000
const BUILT = resolve(import.meta.dirname, '../../../dist/client')

/** Opens everything in order and listens; what was opened is closed again where a later step fails. */
export async function startServer(env: Env, parts: ServerParts = {}): Promise<RunningServer> {
  const stack = new AsyncDisposableStack()
  try {
    return await open(env, parts, stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function open(env: Env, parts: ServerParts, stack: AsyncDisposableStack): Promise<RunningServer> {
  const { embedded, connection, logins } = await chooseDatabase(env, parts.local)
  stack.defer(async () => embedded?.stop())
  await migrate(connection, logins)
  const db = await openDatabase(connection, logins)
  stack.defer(() => db.close())
  const local = await parts.local?.openServices(env, connection)
  stack.defer(async () => local?.close())
  const services = await openServices(env, local)
  const callers = openCallers(db, services)
  const app = await buildApp({
    db,
    services,
    callers,
    origins: originsOf(env),
    logLevel: env.LOG_LEVEL,
    trustedProxies: env.TRUSTED_PROXIES,
    limits: env.limits,
    knownHostsOnly: !env.isProduction,
    // Vite serves the source code to anybody.
    localNetworkOnly: replacedLocally(env).length > 0 || parts.plugin !== undefined,
    metrics: metricsOf(env),
    hstsSubdomains: env.HSTS_SUBDOMAINS === 'on',
    securityContact: env.SECURITY_CONTACT,
    operatorToken: env.OPERATOR_TOKEN,
    pages: parts.pages ?? builtPages(BUILT),
    plugins: [local?.plugin, parts.plugin, debugOf(env, parts.local)].filter((plugin) => plugin !== undefined),
  })
  if (env.isProduction && !logins) app.log.warn(ONE_LOGIN)
  stack.defer(() => closeWithin(app, STOP_MS))
  await app.listen({ host: env.HOST, port: env.PORT }).catch((error: unknown) => explainListening(env, error))
  if (env.JOBS === 'on') {
    const jobs = startJobs({ db, services, log: app.log })
    stack.defer(() => jobs.stop())
  }
  const [url = ''] = originsOf(env)
  return { app, url, embedded, db, services, callers, stop: () => stack.disposeAsync() }
}

// In production /debug does not exist.
function debugOf(env: Env, local: LocalEnvironment | undefined): FastifyPluginAsync | undefined {
  return env.isProduction ? undefined : debugPage(env, local?.names)
}

function metricsOf({ METRICS_TOKEN: token, isProduction }: Env): MetricsAccess {
  if (token !== undefined) return { token }
  return isProduction ? 'nobody' : 'local'
}

/** Lets requests under way end; one that does not end in time is cut off. */
async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), ms)
  await app.close()
  clearTimeout(timer)
}

function explainListening({ HOST, PORT }: Env, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') throw new StartError(`Port ${PORT} is in use. Stop what uses it, or set PORT to another`)
  if (code === 'EACCES') throw new StartError(`This user may not listen on port ${PORT}. Set PORT to one above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    throw new StartError(`HOST ${HOST} is not an address of this machine`)
  throw error
}
