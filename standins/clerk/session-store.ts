import sql, { type Sql } from 'sql-template-tag'
import { only, type Db } from './database.ts'
import { newId } from './ids.ts'
import type { Verification } from './verification.ts'

export interface SessionRow {
  id: string
  client_id: string
  user_id: string
  status: 'active' | 'ended' | 'removed' | 'revoked'
  user_agent: string
  ip_address: string
  first_factor_at: Date
  /** Null where none was given. */
  second_factor_at: Date | null
  verification: SessionVerification | null
  last_active_at: Date
  expire_at: Date
  abandon_at: Date
  created_at: Date
  updated_at: Date
}

/** The progress of a reverification. */
export interface SessionVerification {
  level: 'first_factor' | 'second_factor' | 'multi_factor'
  status: 'needs_first_factor' | 'needs_second_factor' | 'complete'
  mailed: Verification | null
  wrongTries: number
}

type NewSession = Pick<SessionRow, 'client_id' | 'user_id' | 'user_agent' | 'ip_address' | 'second_factor_at'>

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
  const { client_id, user_id, user_agent, ip_address, second_factor_at } = session
  const inserted = await db.query<SessionRow>(
    sql`insert into standin.clerk_sessions (id, client_id, user_id, user_agent, ip_address, second_factor_at)
        values (${newId('sess')}, ${client_id}, ${user_id}, ${user_agent}, ${ip_address}, ${second_factor_at})
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

type Proof = Pick<SessionRow, 'verification'> & Partial<Pick<SessionRow, 'first_factor_at' | 'second_factor_at'>>

export async function saveVerification(db: Db, session: SessionRow, proof: Proof): Promise<SessionRow> {
  const { verification, first_factor_at, second_factor_at } = { ...session, ...proof }
  return only(
    await db.query<SessionRow>(
      sql`update standin.clerk_sessions
          set verification = ${verification}, first_factor_at = ${first_factor_at},
              second_factor_at = ${second_factor_at}, updated_at = now()
          where id = ${session.id} returning *`,
    ),
  )
}

/**
 * Makes it longer ago that the sessions of a browser were signed in to. The code that an authenticator app showed then
 * becomes as much older, so that the one that it shows now counts.
 */
export async function ageSignIns(db: Db, clientId: string, minutes: number): Promise<void> {
  await db.query(
    sql`with aged as (
          update standin.clerk_sessions
          set first_factor_at = first_factor_at - make_interval(mins => ${minutes}),
              second_factor_at = second_factor_at - make_interval(mins => ${minutes})
          where client_id = ${clientId} returning user_id)
        update standin.clerk_users set totp_used_step = greatest(0, totp_used_step - 2 * ${minutes}::int)
        where id in (select user_id from aged)`,
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
