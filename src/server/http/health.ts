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
    const state = await Promise.race([askOnce(), late()]).catch((error: unknown) => {
      request.log.error({ err: error }, 'not ready')
      return { isBehind: undefined }
    })
    if (state.isBehind === false) return { status: 'ok', reminders: state.reminders }
    const refusal = new AppError(state.isBehind ? 'DATABASE_BEHIND' : 'DATABASE_UNAVAILABLE')
    return reply.code(503).headers(waitHeaders(refusal)).send(refusalBody(refusal))
  })
}

type State = { isBehind: true } | { isBehind: false; reminders: ReminderRuns | null }

async function askDatabase(db: Database): Promise<State> {
  const isOlder = await isBehind(db.system).catch((error: unknown) => {
    // In a rolling upgrade a newer server has migrated the database, and this one goes on until it is replaced.
    if (error instanceof StartError) return false
    throw error
  })
  // Late reminders are no reason to send this server no requests.
  return isOlder ? { isBehind: true } : { isBehind: false, reminders: await reminderRuns(db).catch(() => null) }
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
