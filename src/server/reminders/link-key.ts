import type { Database } from '#server/db/database.ts'

const keys = new WeakMap<object, Promise<string>>()

/**
 * What links in emails are sealed with, and messages named with. The app role, whose statements carry what people type,
 * cannot read it. It never changes, so it is read once for each connected database.
 */
export function readLinkKey({ orm, system }: Pick<Database, 'orm' | 'system'>): Promise<string> {
  const key = keys.get(orm) ?? selectKey(system)
  keys.set(orm, key)
  key.catch(() => keys.delete(orm))
  return key
}

async function selectKey(system: Database['system']): Promise<string> {
  const { rows } = await system.query<{ key: string }>('select unsubscribe_key() as key')
  const [row] = rows
  if (!row) throw new Error('Every database has a key for its links')
  return row.key
}
