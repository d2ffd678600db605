import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const NAME = `before_${process.pid}`
const database = useOwnedDatabase(NAME)

const ROWS = `
  insert into accounts (clerk_user_id, email) values ('a', 'a@x');
  insert into customers (account_id, name) values (1, 'Acme'), (1, 'Beta');
  insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    values (1, 1, 100, '2026-01-31', 'monthly', '2026-02-28', 'active'), (1, 2, 50, '2026-01-01', 'yearly', '2027-01-01', 'expired')`

test('rows older than the totals are counted and searched, also for an owner whom row-level security binds', async () => {
  await database.asOf('0001-accounts-customers-contracts', ROWS)
  await database.migrate()
  const db = (await openDatabase(database.owner)).as('operator')
  try {
    const read = db.readAs(1)
    expect(await read(sql`select customers from customer_totals`)).toEqual([{ customers: 2 }])
    expect(
      await read(sql`select status, contracts, amount_cents::int as cents from contract_totals order by 1`),
    ).toEqual([
      { status: 'active', contracts: 1, cents: 100 },
      { status: 'expired', contracts: 1, cents: 50 },
    ])
    expect(await read(sql`select renewal_date, contracts, amount_cents::int as cents from contract_due_days`)).toEqual([
      { renewal_date: '2026-02-28', contracts: 1, cents: 100 },
    ])
    await db.writeAs(1, (_em, run) => run(sql`update contracts set status = 'pending' where id = 2`))
    expect(await read(sql`select id from find_customers(1, 'CM', true) id`)).toEqual([{ id: 1 }])
    expect((await db.system.query('select * from totals_drift()')).rows).toEqual([])
    await db.system.query('delete from accounts')
    expect((await db.system.query('select * from totals_drift()')).rows).toEqual([])
  } finally {
    await db.close()
  }
})
