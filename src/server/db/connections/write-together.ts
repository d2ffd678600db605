import type { Pool, PoolClient } from 'pg'
import type { Actor } from '#server/db/actor.ts'
import { runBatch } from './batch.ts'
import type { AccountStatement, WriteEach } from '#server/db/database.ts'
import { checkingEach } from '#server/db/rows.ts'
import { asAccount } from './read.ts'

/**
 * One transaction for several accounts: a round trip and a commit cost more than a short statement.
 * @throws if a failed statement, whose error was swallowed, has turned the commit into a rollback
 */
export async function writeTogether<T>(pool: Pool, actor: Actor, work: (write: WriteEach) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await runBatch(client, [{ text: 'begin', values: [] }])
    const result = await work(checkingEach((asked) => runEach(client, actor, asked)))
    const [committed] = await runBatch(client, [{ text: 'commit', values: [] }])
    if (committed?.command !== 'COMMIT') throw new Error('The transaction had failed, and nothing was written')
    return result
  } catch (error) {
    // If even that fails, the connection is lost, and the work's own error says why.
    await runBatch(client, [{ text: 'rollback', values: [] }]).catch(() => {})
    throw error
  } finally {
    // A connection that is still in a transaction is not reused.
    client.release(client.getTransactionStatus() !== 'I')
  }
}

async function runEach(client: PoolClient, actor: Actor, asked: readonly AccountStatement[]): Promise<unknown[][]> {
  if (asked.length === 0) return []
  const statements = asked.flatMap(({ accountId, statement }) => [asAccount({ accountId, actor }), statement])
  const answers = await runBatch(client, statements)
  return answers.filter((_answer, index) => index % 2 === 1).map(({ rows }) => rows)
}
