import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Database } from '#server/db/database.ts'
import { isBehind } from '#server/db/migrating/migrate.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { reminderRuns } from '#server/reminders/reminder-runs.service.ts'
import { refusalBody } from '#server/rest/answers/errors.ts'
import { StartError } from '#server/start-error.ts'

const ANSWER_MS = 2000

/** /healthz: the server listens. /readyz: the database answers and is migrated, and when reminders last ran. */
export async function healthRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))

  app.get('/readyz', { logLevel: 'silent' }, async (request, reply) => {
    const behind = await Promise.race([isBehind(db.system), late()]).catch((error: unknown) => {
      // In a rolling upgrade a newer server has migrated the database, and this one goes on until it is replaced.
      if (error instanceof StartError) return false
      request.log.error({ err: error }, 'not ready')
      return undefined
    })
    // Late reminders are no reason to send this server no requests.
    if (behind === false) return { status: 'ok', reminders: await reminderRuns(db).catch(() => null) }
    const refusal = new AppError(behind ? 'DATABASE_BEHIND' : 'DATABASE_UNAVAILABLE')
    return reply.code(503).headers(waitHeaders(refusal)).send(refusalBody(refusal))
  })
}

async function late(): Promise<never> {
  await pause(ANSWER_MS, undefined, { ref: false })
  throw new Error(`The database took longer than ${ANSWER_MS} ms`)
}
