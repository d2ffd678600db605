import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Sql } from 'sql-template-tag'
import { checking } from '#server/db/rows.ts'
import type { Write } from '#server/db/database.ts'
import type { Acting } from './read.ts'
import { againAfterDeadlock, isLockTimeout, isOfNoAccount } from '#server/db/violations.ts'
import { planned, type Sending } from './writing-dialect.ts'

type Work<T> = (em: EntityManager, write: Write) => Promise<T>

/**
 * One transaction for one account, shared by entities and plain statements. After a deadlock it is run again, so `work`
 * may run more than once. If a statement failed, the transaction fails too, even if `work` caught the error.
 * @throws NOT_SIGNED_IN if the account no longer exists, ACCOUNT_BUSY if another transaction held its rows for too long
 */
export async function write<T>(orm: MikroORM, { accountId, actor }: Acting, work: Work<T>): Promise<T> {
  const variables = { 'app.account_id': accountId, 'app.actor': actor }
  try {
    return await againAfterDeadlock(() => {
      const outer = orm.em.fork()
      outer.setSessionContext({ variables })
      return outer.transactional((em) => work(em, writeIn(em)))
    })
  } catch (error) {
    if (isOfNoAccount(error)) throw new AppError('NOT_SIGNED_IN', { cause: error })
    throw isLockTimeout(error) ? new AppError('ACCOUNT_BUSY', { cause: error }) : error
  }
}

/** Runs statements in the transaction of an entity manager. */
function writeIn(em: EntityManager): Write {
  const run = async ({ text, values }: Sql, planning: Sending = 'once') => {
    const { rows } = await em.getKysely().executeQuery(planned(CompiledQuery.raw(text, values), planning))
    return rows
  }
  const later = async (statement: Sql) => void (await run(statement, 'later'))
  return Object.assign(checking(run), { later })
}
