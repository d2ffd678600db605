import sql, { type Sql } from 'sql-template-tag'
import { only, type Db } from './database.ts'
import { newId } from './ids.ts'
import type { Verification } from './verification.ts'

export interface UserRow {
  id: string
  email_address_id: string
  email_address: string
  email_verified: boolean
  /** The code that was mailed last. */
  email_verification: Verification | null
  password_hash: string | null
  first_name: string | null
  last_name: string | null
  /** Base32; of an authenticator app that may still have to be confirmed. */
  totp_secret: string | null
  totp_verified: boolean
  totp_used_step: number
  backup_code_hashes: string[]
  /** Wrong second factors since the last right one. */
  wrong_codes: number
  locked_until: Date | null
  last_sign_in_at: Date | null
  created_at: Date
  updated_at: Date
}

type NewUser = Pick<UserRow, 'email_address' | 'password_hash' | 'first_name' | 'last_name'>

interface UserChanges {
  password_hash?: string | null
  first_name?: string | null | undefined
  last_name?: string | null | undefined
}

export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(sql`select * from standin.clerk_users where id = ${id}`)
  return rows[0] ?? null
}

/** As they are now, and until the transaction ends: two browsers do not use the same code. */
export async function lockUser(db: Db, id: string): Promise<UserRow> {
  return only(await db.query<UserRow>(sql`select * from standin.clerk_users where id = ${id} for update`))
}

export async function findUserByEmail(db: Db, emailAddress: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(sql`select * from standin.clerk_users where email_address = ${emailAddress}`)
  return rows[0] ?? null
}

/** None if the address is taken, also by a concurrent sign-up. */
export async function insertUser(db: Db, user: NewUser): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    sql`insert into standin.clerk_users (id, email_address_id, email_address, password_hash, first_name, last_name)
        values (${newId('user')}, ${newId('idn')}, ${user.email_address}, ${user.password_hash},
                ${user.first_name}, ${user.last_name})
        on conflict (email_address) do nothing
        returning *`,
  )
  return rows[0] ?? null
}

/** Changes what is given; a name can be taken away with null, so that is not the same as not given. */
export async function updateUser(db: Db, id: string, changes: UserChanges): Promise<UserRow> {
  const { password_hash = null, first_name, last_name } = changes
  return only(
    await db.query<UserRow>(
      sql`update standin.clerk_users
          set password_hash = coalesce(${password_hash}, password_hash),
              first_name = ${first_name === undefined ? sql`first_name` : first_name},
              last_name = ${last_name === undefined ? sql`last_name` : last_name},
              updated_at = now()
          where id = ${id}
          returning *`,
    ),
  )
}

type SecondFactors = Pick<UserRow, 'id' | 'totp_secret' | 'totp_verified' | 'totp_used_step' | 'backup_code_hashes'>

export async function saveSecondFactors(db: Db, user: SecondFactors): Promise<void> {
  await db.query(
    sql`update standin.clerk_users
        set totp_secret = ${user.totp_secret}, totp_verified = ${user.totp_verified},
            totp_used_step = ${user.totp_used_step}, backup_code_hashes = ${user.backup_code_hashes},
            updated_at = now()
        where id = ${user.id}`,
  )
}

type AddressProof = Pick<UserRow, 'id' | 'email_verified' | 'email_verification'>

export async function saveAddressProof(db: Db, user: AddressProof): Promise<void> {
  const { id, email_verified, email_verification } = user
  await db.query(
    sql`update standin.clerk_users
        set email_verified = ${email_verified}, email_verification = ${email_verification}, updated_at = now()
        where id = ${id}`,
  )
}

export async function saveWrongCodes(
  db: Db,
  id: string,
  { wrong_codes, locked_until }: Pick<UserRow, 'wrong_codes' | 'locked_until'>,
): Promise<void> {
  await db.query(
    sql`update standin.clerk_users set wrong_codes = ${wrong_codes}, locked_until = ${locked_until} where id = ${id}`,
  )
}

export async function markSignedIn(db: Db, id: string): Promise<UserRow> {
  return only(
    await db.query<UserRow>(sql`update standin.clerk_users set last_sign_in_at = now() where id = ${id} returning *`),
  )
}

/** Its sessions and attempts go with it. */
export async function deleteUser(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`delete from standin.clerk_users where id = ${id}`)
  return rowCount === 1
}

export interface UserFilter {
  email_address?: string[] | undefined
  user_id?: string[] | undefined
}

export async function listUsers(db: Db, filter: UserFilter, page: Sql): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>(sql`select * from standin.clerk_users where ${matches(filter)} ${page}`)
  return rows
}

export async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const counted = await db.query<{ count: number }>(
    sql`select count(*)::int as count from standin.clerk_users where ${matches(filter)}`,
  )
  return only(counted).count
}

function matches({ email_address, user_id }: UserFilter): Sql {
  return sql`(${email_address ?? null}::text[] is null or email_address = any(${email_address ?? null}))
         and (${user_id ?? null}::text[] is null or id = any(${user_id ?? null}))`
}
