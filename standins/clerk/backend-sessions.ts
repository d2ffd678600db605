import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { activityJson } from './activity.ts'
import { inTransaction, type Db } from './database.ts'
import { ClerkError } from './errors.ts'
import { Id, parse, parseId } from './input.ts'
import { sessionFactsJson } from './resources.ts'
import { closeSessions, findSession, listSessions, type SessionRow } from './session-store.ts'

export function backendSessions(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/v1/sessions', ({ query }) => inTransaction(pool, (db) => list(db, query)))
  app.get('/v1/sessions/:id', ({ params }) => inTransaction(pool, (db) => read(db, parseId(params))))
  app.post('/v1/sessions/:id/revoke', ({ params }) => inTransaction(pool, (db) => revoke(db, parseId(params))))
}

const List = z.strictObject({
  user_id: Id,
  status: z.enum(['active', 'ended', 'expired', 'removed', 'revoked']).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(10),
  offset: z.coerce.number().int().min(0).default(0),
  paginated: z.stringbool().default(false),
})

async function list(db: Db, query: unknown) {
  const { user_id, status, limit, offset, paginated } = parse(List, query)
  const all = (await listSessions(db, sql`user_id = ${user_id}`)).map(withActivity)
  const found = all.filter((session) => status === undefined || session.status === status)
  const page = found.slice(offset, offset + limit)
  return paginated ? { data: page, total_count: found.length } : page
}

async function read(db: Db, id: string) {
  const session = await findSession(db, sql`id = ${id}`)
  if (!session) throw new ClerkError('resource_not_found')
  return withActivity(session)
}

async function revoke(db: Db, id: string) {
  await closeSessions(db, 'revoked', sql`id = ${id}`)
  return read(db, id)
}

function withActivity(session: SessionRow) {
  return { ...sessionFactsJson(session), latest_activity: activityJson(session) }
}
