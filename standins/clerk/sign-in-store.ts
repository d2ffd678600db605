import sql from 'sql-template-tag'
import { only, type Db } from './database.ts'
import { newId } from './ids.ts'
import type { Verification } from './verification.ts'

export interface SignInRow {
  id: string
  client_id: string
  user_id: string
  status: 'needs_first_factor' | 'needs_second_factor' | 'needs_new_password' | 'complete'
  wrong_passwords: number
  wrong_codes: number
  verification: Verification | null
  created_session_id: string | null
}

/** A browser has one unfinished sign-in at most: another takes its place. */
export async function insertSignIn(db: Db, clientId: string, userId: string): Promise<SignInRow> {
  await db.query(sql`delete from standin.clerk_sign_ins where client_id = ${clientId} and created_session_id is null`)
  return only(
    await db.query<SignInRow>(
      sql`insert into standin.clerk_sign_ins (id, client_id, user_id)
          values (${newId('sia')}, ${clientId}, ${userId}) returning *`,
    ),
  )
}

export async function findSignIn(db: Db, clientId: string, id: string): Promise<SignInRow | null> {
  const { rows } = await db.query<SignInRow>(
    sql`select * from standin.clerk_sign_ins
        where id = ${id} and client_id = ${clientId} and abandon_at > now() for update`,
  )
  return rows[0] ?? null
}

export async function findUnfinishedSignIn(db: Db, clientId: string): Promise<SignInRow | null> {
  const { rows } = await db.query<SignInRow>(
    sql`select * from standin.clerk_sign_ins
        where client_id = ${clientId} and created_session_id is null and abandon_at > now()`,
  )
  return rows[0] ?? null
}

export async function saveSignIn(db: Db, signIn: SignInRow): Promise<SignInRow> {
  return only(
    await db.query<SignInRow>(
      sql`update standin.clerk_sign_ins
          set status = ${signIn.status}, wrong_passwords = ${signIn.wrong_passwords}, wrong_codes = ${signIn.wrong_codes},
              verification = ${signIn.verification}, created_session_id = ${signIn.created_session_id}
          where id = ${signIn.id}
          returning *`,
    ),
  )
}
