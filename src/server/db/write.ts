import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { AppError } from '#shared/errors.ts'
import { AccountTransaction } from './account-transaction.ts'
import type { Read } from './database.ts'
import type { Acting } from './read.ts'
import { dialectOf } from './transaction-dialect.ts'
import { isDeadlock, isOfNoAccount } from './violations.ts'

type Work<T> = (em: EntityManager, read: Read) => Promise<T>

const ATTEMPTS = 3

/**
 * One transaction for one account; entities and plain statements share it. Where two waited for each other crosswise,
 * one of them was rolled back whole by PostgreSQL, and is done again: `work` may run more than once.
 * @throws NOT_SIGNED_IN where there is no such account any more
 */
export async function write<T>(orm: MikroORM, acting: Acting, work: Work<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOnce(orm, acting, work)
    } catch (error) {
      if (isOfNoAccount(error)) throw new AppError('NOT_SIGNED_IN', { cause: error })
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error
    }
  }
}

async function writeOnce<T>(orm: MikroORM, acting: Acting, work: Work<T>): Promise<T> {
  const pool = await orm.em.getDriver().getConnection().getNativeClient()
  const client: PoolClient = await pool.connect()
  try {
    return await transact(orm, new AccountTransaction(client, acting), work)
  } finally {
    // A connection that is not out of the transaction is given to nobody else.
    client.release(client.getTransactionStatus() !== 'I')
  }
}

async function transact<T>(orm: MikroORM, transaction: AccountTransaction, work: Work<T>): Promise<T> {
  const em = orm.em.fork()
  em.setTransactionContext(await new Kysely({ dialect: dialectOf(transaction) }).startTransaction().execute())
  try {
    const result = await work(em, (statement) => transaction.run(statement))
    await em.flush()
    await transaction.end('commit')
    return result
  } catch (error) {
    // Where not even that succeeds, the connection is lost, and what the work failed with tells why.
    await transaction.end('rollback').catch(() => {})
    throw error
  }
}
