import sql from 'sql-template-tag'
import { only, type Db } from './database.ts'
import { hashSecret, newId, newSecret } from './ids.ts'

/** A browser, known by its cookie. */
export interface ClientRow {
  id: string
  last_active_session_id: string | null
  created_at: Date
  updated_at: Date
}

export async function findClient(db: Db, cookie: string): Promise<ClientRow | null> {
  const { rows } = await db.query<ClientRow>(
    sql`select * from standin.clerk_clients where cookie_hash = ${hashSecret(cookie)}`,
  )
  return rows[0] ?? null
}

/** Read again: a call can have changed it. */
export async function reloadClient(db: Db, { id }: ClientRow): Promise<ClientRow | null> {
  const { rows } = await db.query<ClientRow>(sql`select * from standin.clerk_clients where id = ${id}`)
  return rows[0] ?? null
}

/** One browser's changes come one after the other. */
export async function lockClient(db: Db, { id }: ClientRow): Promise<void> {
  await db.query(sql`select from standin.clerk_clients where id = ${id} for update`)
}

export async function insertClient(db: Db): Promise<{ client: ClientRow; cookie: string }> {
  const cookie = newSecret()
  const inserted = await db.query<ClientRow>(
    sql`insert into standin.clerk_clients (id, cookie_hash) values (${newId('client')}, ${hashSecret(cookie)})
        returning *`,
  )
  return { client: only(inserted), cookie }
}

export async function deleteClient(db: Db, { id }: ClientRow): Promise<void> {
  await db.query(sql`delete from standin.clerk_clients where id = ${id}`)
}
