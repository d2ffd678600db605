import Fastify from 'fastify'
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import type { Database } from '#server/db/database.ts'
import { checkingEach } from '#server/db/rows.ts'
import { fakeServices } from '#support/services.ts'
import { aCustomer, anAccount, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()
const [ACCOUNTS, CONTRACTS] = [4, 3000]

/** Accounts with many contracts, of each of which something happens today to a few. */
beforeEach(async () => {
  const owner = new pg.Client(world.connection)
  await owner.connect()
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request)
    await world.db.writeAs(request.caller?.id ?? 0, async (em) => {
      await em.execute(
        `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, renews)
          select ?, ?, 100, '2020-01-01', 'yearly', case when n <= 6 then date '2026-03-01' else date '2026-06-01' + n % 300 end,
            'active', (array['automatic', 'never', 'by_agreement'])[1 + n % 3] from generate_series(1, ?::int) n`,
        [request.caller?.id, customerId, CONTRACTS],
      )
      await em.execute('insert into renewal_settings (account_id, end_overdue_after_days) values (?, 3)', [
        request.caller?.id,
      ])
    })
  }
  await owner.query('analyze contracts')
  await owner.query('analyze renewal_settings')
  await owner.end()
})

/** The database, which also says how each statement that looks for contracts is carried out. */
function explaining(db: Database): { db: Database; plans: string[] } {
  const plans: string[] = []
  const looks = ({ sql: text }: Sql) => text.includes('acts_on <=')
  const planOf = (lines: unknown[]) => void plans.push(lines.map((line) => JSON.stringify(line)).join('\n'))
  const system: Database['system'] = Object.create(db.system, {
    query: {
      value: async (asked: Sql) => {
        if (looks(asked)) planOf((await db.system.query(sql`explain ${asked}`)).rows)
        return db.system.query(asked)
      },
    },
  })
  const writeTogether: Database['writeTogether'] = (work) =>
    db.writeTogether((write) =>
      work(
        checkingEach(async (asked) => {
          for (const { accountId, statement } of asked.filter((one) => looks(one.statement))) {
            const [lines = []] = await write([{ accountId, statement: sql`explain ${statement}` }])
            planOf(lines)
          }
          return write(asked)
        }),
      ),
    )
  return { db: { ...db, system, writeTogether }, plans }
}

test('the job that renews contracts finds what is due in all accounts, and in each of them, by index', async () => {
  const { db, plans } = explaining(world.db.as('job:renew-contracts'))
  const log = { ...Fastify().log, error: (fault: unknown) => expect(fault).toBeUndefined() }
  await renewContracts({ db, log, services: fakeServices(), signal: new AbortController().signal })
  const { rows } = await world.db.system.query('select count(*)::int as left from contracts where acts_on <= $1', [
    TODAY,
  ])
  expect(rows).toEqual([{ left: 0 }])

  // One for all accounts, and one for each.
  expect(plans.length).toBeGreaterThan(ACCOUNTS)
  for (const plan of plans) {
    expect(plan).toMatch(
      /Index (?:Only )?Scan[^\n]*contracts_acting[^\n]*\n(?:[^\n]*\n){0,2}[^\n]*Index Cond[^\n]*acts_on <=/,
    )
    expect(plan).not.toMatch(/Seq Scan on contracts/)
  }
  const ofAccounts = plans.filter((plan) => plan.includes('by_agreement'))
  expect(ofAccounts.length).toBeGreaterThanOrEqual(ACCOUNTS)
  for (const plan of ofAccounts) expect(plan).toMatch(/Index Cond[^\n]*renewal_date <=/)
})
