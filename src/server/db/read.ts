import { CompiledQuery } from 'kysely'
import type { EntityManager } from '@mikro-orm/postgresql'
import pg, { type Pool } from 'pg'
import type { Sql } from 'sql-template-tag'

const names = new Map<string, string>()

/**
 * Sends begin, the account, the statement and commit in one go, so that a read costs one round trip. The statement
 * is prepared once a connection: planning would be two thirds of its cost.
 */
export async function read<Row extends object>(pool: Pool, accountId: number, statement: Sql): Promise<Row[]> {
  const client = await pool.connect()
  const sent = [
    client.query(`begin read only; select set_config('app.account_id', '${Number(accountId)}', true)`),
    client.query<Row>({ name: nameOf(statement.text), text: statement.text, values: statement.values, types }),
    client.query('commit'),
  ] as const
  const [begun, answered, ended] = await Promise.allSettled(sent)
  const failure = [begun, answered, ended].find((outcome) => outcome.status === 'rejected')
  client.release(begun.status === 'rejected' || ended.status === 'rejected')
  if (failure) throw failure.reason
  if (answered.status === 'rejected') throw answered.reason
  return answered.value.rows
}

/** The same inside a transaction that is already under way. */
export async function readInTransaction<Row extends object>(em: EntityManager, statement: Sql): Promise<Row[]> {
  const query = CompiledQuery.raw(statement.text, [...statement.values])
  const { rows } = await em.getKysely().executeQuery<Row>(query)
  return rows
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `read_${names.size}`
  names.set(text, name)
  return name
}

// As MikroORM reads them: days and instants stay text. Statements cast amounts and counts to float8 or int themselves.
const types = new pg.TypeOverrides()
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMPTZ]) types.setTypeParser(type, (text) => text)
