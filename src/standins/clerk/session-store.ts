import sql, { type Sql } from 'sql-template-tag'
import { only, type Db } from './database.ts'
import { newId } from './ids.ts'

export interface SessionRow {
  id: string
  client_id: string
  user_id: string
  status: 'active' | 'ended' | 'removed' | 'revoked'
  user_agent: string
  ip_address: string
  last_active_at: Date
  expire_at: Date
  abandon_at: Date
  created_at: Date
  updated_at: Date
}

type NewSession = Pick<SessionRow, 'client_id' | 'user_id' | 'user_agent' | 'ip_address'>

export const ACTIVE = sql`status = 'active' and expire_at > now()`

/** Newest first. */
export async function listSessions(db: Db, condition: Sql): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    sql`select * from standin.clerk_sessions where ${condition} order by created_at desc, id`,
  )
  return rows
}

export async function findSession(db: Db, condition: Sql): Promise<SessionRow | null> {
  const [session] = await listSessions(db, condition)
  return session ?? null
}

/** Opens a session and makes it the one its browser shows. */
export async function insertSession(db: Db, session: NewSession): Promise<SessionRow> {
  const { client_id, user_id, user_agent, ip_address } = session
  const inserted = await db.query<SessionRow>(
    sql`insert into standin.clerk_sessions (id, client_id, user_id, user_agent, ip_address)
        values (${newId('sess')}, ${client_id}, ${user_id}, ${user_agent}, ${ip_address})
        returning *`,
  )
  await showSession(db, only(inserted))
  return only(inserted)
}

export async function touchSession(db: Db, session: SessionRow): Promise<SessionRow> {
  await showSession(db, session)
  return only(
    await db.query<SessionRow>(
      sql`update standin.clerk_sessions set last_active_at = now(), updated_at = now()
          where id = ${session.id} returning *`,
    ),
  )
}

/** Closes those that are still active, and gives them as they then are. */
export async function closeSessions(db: Db, status: SessionRow['status'], condition: Sql): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    sql`update standin.clerk_sessions set status = ${status}, updated_at = now()
        where ${ACTIVE} and ${condition} returning *`,
  )
  return rows
}

async function showSession(db: Db, { id, client_id }: SessionRow): Promise<void> {
  await db.query(
    sql`update standin.clerk_clients set last_active_session_id = ${id}, updated_at = now() where id = ${client_id}`,
  )
}
