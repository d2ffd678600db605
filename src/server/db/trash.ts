import sql, { raw } from 'sql-template-tag'
import type { Write } from './database.ts'

/**
 * A condition on customers or contracts. Row-level security hides what is in the trash anyway, but only a statement that
 * says so itself can use the indexes of the others.
 */
export const NOT_DELETED = raw('deleted_at is null')

/** Runs `work` with what is in the trash in sight, in an account's transaction. */
export async function seeingTrash<T>(write: Write, work: () => Promise<T>): Promise<T> {
  await write(sql`select set_config('app.trash', 'on', true)`)
  const done = await work()
  await write(sql`select set_config('app.trash', '', true)`)
  return done
}
