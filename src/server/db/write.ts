import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Sql } from 'sql-template-tag'
import { checking } from './rows.ts'
import type { Planning, Read } from './database.ts'
import type { Acting } from './read.ts'
import { isDeadlock, isOfNoAccount } from './violations.ts'
import { planned } from './writing-dialect.ts'

type Work<T> = (em: EntityManager, read: Read) => Promise<T>

const ATTEMPTS = 3

/**
 * One transaction for one account; entities and plain statements share it. After a deadlock, the one
 * that PostgreSQL rolled back is run again: `work` may run more than once. One that a failed statement has ended is an
 * error, even if `work` caught that statement's.
 * @throws NOT_SIGNED_IN where there is no such account any more
 */
export async function write<T>(orm: MikroORM, acting: Acting, work: Work<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(orm, acting, work)
    } catch (error) {
      if (isOfNoAccount(error)) throw new AppError('NOT_SIGNED_IN', { cause: error })
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error
    }
  }
}

async function transact<T>(orm: MikroORM, { accountId, actor }: Acting, work: Work<T>): Promise<T> {
  const outer = orm.em.fork()
  outer.setSessionContext({ variables: { 'app.account_id': accountId, 'app.actor': actor } })
  return outer.transactional(async (em) => {
    const run = async ({ text, values }: Sql, planning: Planning = 'once') => {
      const { rows } = await em.getKysely().executeQuery(planned(CompiledQuery.raw(text, values), planning))
      return rows
    }
    return work(em, checking(run))
  })
}
