import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Database } from '#server/db/database.ts'
import { isBehind } from '#server/db/migrating/migrate.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { reminderRuns, type ReminderRuns } from '#server/reminders/reminder-runs.service.ts'
import { refusalBody } from '#server/rest/answers/errors.ts'
import { StartError } from '#server/start-error.ts'

const ANSWER_MS = 2000

/** /healthz: the server listens. /readyz: the database answers and is migrated, and when reminders last ran. */
export async function healthRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))

  // Anybody may ask, by connections that also identify callers.
  const askOnce = sharing(() => askDatabase(db))
  app.get('/readyz', { logLevel: 'silent' }, async (request, reply) => {
    const state = await askOnce()
    if ('reminders' in state) return { status: 'ok', ...state }
    const { key, error } = state
    if (error) request.log.error({ err: error }, 'not ready')
    const refusal = new AppError(key)
    return reply.code(503).headers(waitHeaders(refusal)).send(refusalBody(refusal))
  })
}

type State = { reminders: ReminderRuns | null } | { key: 'DATABASE_BEHIND' | 'DATABASE_UNAVAILABLE'; error?: unknown }

async function askDatabase(db: Database): Promise<State> {
  try {
    if (await Promise.race([isBehind(db.system), late()])) return { key: 'DATABASE_BEHIND' }
  } catch (error) {
    // In a rolling upgrade a newer server has migrated the database, and this one goes on until it is replaced.
    if (!(error instanceof StartError)) return { key: 'DATABASE_UNAVAILABLE', error }
  }
  // Late reminders are no reason to send this server no requests.
  return { reminders: await reminderRuns(db).catch(() => null) }
}

/** Calls that come while the work is under way get its outcome. */
function sharing<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined
  return () => {
    underWay ??= work().finally(() => (underWay = undefined))
    return underWay
  }
}

async function late(): Promise<never> {
  await pause(ANSWER_MS, undefined, { ref: false })
  throw new Error(`The database took longer than ${ANSWER_MS} ms`)
}
