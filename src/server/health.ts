import type { FastifyInstance } from 'fastify'
import type { Database } from './db/database.ts'
import { isBehind } from './db/migrate.ts'

/** /healthz: the server listens. /readyz: the database answers and is migrated. */
export async function healthRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))

  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const behind = await isBehind(db.system).catch(() => undefined)
    if (behind === false) return { status: 'ok' }
    return reply.code(503).send({ error: behind ? 'The database is not migrated' : 'The database does not answer' })
  })
}
