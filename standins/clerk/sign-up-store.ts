import sql from 'sql-template-tag'
import { only, type Db } from './database.ts'
import { newId } from './ids.ts'
import type { Verification } from './verification.ts'

export interface SignUpRow {
  id: string
  client_id: string
  email_address: string | null
  password_hash: string | null
  first_name: string | null
  last_name: string | null
  verification: Verification | null
  created_user_id: string | null
  created_session_id: string | null
  abandon_at: Date
}

/** A browser has one unfinished sign-up at most: another takes its place. */
export async function insertSignUp(db: Db, clientId: string): Promise<SignUpRow> {
  await db.query(sql`delete from standin.clerk_sign_ups where client_id = ${clientId} and created_session_id is null`)
  return only(
    await db.query<SignUpRow>(
      sql`insert into standin.clerk_sign_ups (id, client_id) values (${newId('sua')}, ${clientId}) returning *`,
    ),
  )
}

export async function findSignUp(db: Db, clientId: string, id: string): Promise<SignUpRow | null> {
  const { rows } = await db.query<SignUpRow>(
    sql`select * from standin.clerk_sign_ups
        where id = ${id} and client_id = ${clientId} and abandon_at > now() for update`,
  )
  return rows[0] ?? null
}

export async function findUnfinishedSignUp(db: Db, clientId: string): Promise<SignUpRow | null> {
  const { rows } = await db.query<SignUpRow>(
    sql`select * from standin.clerk_sign_ups
        where client_id = ${clientId} and created_session_id is null and abandon_at > now()`,
  )
  return rows[0] ?? null
}

export async function saveSignUp(db: Db, signUp: SignUpRow): Promise<SignUpRow> {
  return only(
    await db.query<SignUpRow>(
      sql`update standin.clerk_sign_ups
          set email_address = ${signUp.email_address}, password_hash = ${signUp.password_hash},
              first_name = ${signUp.first_name}, last_name = ${signUp.last_name},
              verification = ${signUp.verification}, created_user_id = ${signUp.created_user_id},
              created_session_id = ${signUp.created_session_id}
          where id = ${signUp.id}
          returning *`,
    ),
  )
}
