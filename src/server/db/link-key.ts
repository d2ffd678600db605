import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from './database.ts'
import { readRows } from './rows.ts'

const keys = new WeakMap<object, Promise<string>>()

/**
 * The secret key for signing links in emails, making Message-IDs, and hashing addresses that are only counted. The app
 * role, whose statements carry user input, cannot read it. It never changes, so it is read once for each database.
 */
export function readLinkKey({ orm, system }: Pick<Database, 'orm' | 'system'>): Promise<string> {
  const key = keys.get(orm) ?? selectKey(system)
  keys.set(orm, key)
  key.catch(() => keys.delete(orm))
  return key
}

const KeyRow = z.object({ key: z.string() })

async function selectKey(system: Database['system']): Promise<string> {
  const [row] = await readRows(system, sql`select unsubscribe_key() as key`, KeyRow)
  if (!row) throw new Error('Every database has a key for its links')
  return row.key
}
