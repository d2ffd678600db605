import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { seeingTrash } from '#server/db/trash.ts'

const database = useOwnedDatabase(`trash_before_${process.pid}`)

const ROWS = `
  set app.actor = 'operator';
  insert into accounts (clerk_user_id, email) values ('a', 'a@x'), ('b', 'b@x');
  insert into customers (account_id, name, customer_number) values (1, 'Acme', 'C-1'), (1, 'Beta', null), (2, 'Acme', 'C-1');
  insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, notice_period)
    values (1, 1, 100, '2026-01-31', 'monthly', '2026-03-31', 'active', '1 month'),
      (1, 1, 50, '2026-01-01', 'yearly', '2027-01-01', 'expired', null),
      (2, 3, 70, '2026-01-01', 'yearly', '2027-01-01', 'active', '30 days');
  insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on, recipient,
      channel, state, planned_at, next_attempt_at)
    values (1, 1, 1, 'Acme', '2026-03-31', 'reminder', 14, '2026-03-17', 'customer', 'email', 'planned', now(), now())`

test('what was there before the trash is outside of it, counted, and can be deleted and restored', async () => {
  await database.asOf('0072-activity-and-notes', ROWS)
  await database.migrate()
  const db = (await openDatabase(database.owner)).as('operator')
  const drift = async () => (await db.system.query('select * from totals_drift()')).rows
  try {
    const read = db.readAs(1)
    const contracts = sql`select id, notice_date, tags, deleted_at from contracts order by id`
    const both = [
      { id: 1, notice_date: '2026-02-28', tags: [], deleted_at: null },
      { id: 2, notice_date: null, tags: [], deleted_at: null },
    ]
    expect(await read(contracts)).toEqual(both)
    expect(await read(sql`select contact_id, contact_name from reminders`)).toEqual([
      { contact_id: 0, contact_name: null },
    ])
    expect(await drift()).toEqual([])
    const setTrash = (table: 'contracts' | 'customers', at: Date | null) =>
      db.writeAs(1, (_em, write) =>
        seeingTrash(write, () =>
          write(
            table === 'contracts'
              ? sql`update contracts set deleted_at = ${at}`
              : sql`update customers set deleted_at = ${at}`,
          ),
        ),
      )
    await expect(setTrash('customers', new Date())).rejects.toThrow('the customer has contracts')
    await setTrash('contracts', new Date())
    await setTrash('customers', new Date())
    expect(await read(contracts)).toEqual([])
    await expect(setTrash('contracts', null)).rejects.toThrow('the customer is in the trash')
    await setTrash('customers', null)
    await setTrash('contracts', null)
    expect(await read(contracts)).toEqual(both)
    expect(await read(sql`select id from contracts where id = 3`)).toEqual([])
    expect(await drift()).toEqual([])
  } finally {
    await db.close()
  }
})
