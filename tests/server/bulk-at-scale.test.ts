import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { startBulk } from '#server/bulk/bulk.service.ts'
import { previewBulk } from '#server/bulk/preview-bulk.service.ts'
import type { RequestContext } from '#server/context.ts'
import { checking } from '#server/db/rows.ts'
import { aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const MANY = 100_000

/** Without triggers, which would add up the sums: nothing here reads them. */
async function addContracts(request: RequestContext): Promise<void> {
  const { id: customerId } = await aCustomer(request)
  const owner = new pg.Client(world.connection)
  await owner.connect()
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
      select $1, $2, 10000, '2025-06-01', case when n = 1 then 'monthly' else 'yearly' end, '2026-06-01', 'active'
      from generate_series(1, ${MANY + 1}) n`,
    [request.caller?.id, customerId],
  )
  await owner.query('analyze contracts')
  await owner.end()
}

test('a change of 100,000 contracts is previewed, and begun by as few statements as one of a single contract', async () => {
  const request = await anAccount(world)
  await addContracts(request)
  const raise = (cycle: string) =>
    BulkChange.parse({
      action: 'change_price',
      price: { by: 'percent', value: 10 },
      contracts: { filter: { cycle, status: 'active' } },
    })
  expect(await previewBulk(requireReader(request), raise('yearly'))).toEqual({
    count: MANY,
    amountBefore: MANY * 100,
    amount: MANY * 110,
    leftOut: [],
  })

  const begin = async (cycle: string) => {
    const statements: string[] = []
    const { total, waiting } = await asSubscriber(request, ({ write, ...ctx }) => {
      const noted = (statement: Sql) => (statements.push(statement.sql), write(statement))
      const noting = Object.assign(checking(noted), { later: (statement: Sql) => write.later(statement) })
      return startBulk({ ...ctx, write: noting }, raise(cycle))
    })
    await world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(`update bulk_changes set state = 'done'`))
    return { total, waiting, statements }
  }
  const [single, many] = [await begin('monthly'), await begin('yearly')]
  expect(single).toMatchObject({ total: 1, waiting: 1 })
  expect(many).toEqual({ total: MANY, waiting: MANY, statements: single.statements })
})
