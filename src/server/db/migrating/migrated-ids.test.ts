import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/boot/open-database.ts'
import { useOwnedDatabase } from '#support/owned-database.ts'

const database = useOwnedDatabase(`ids_before_${process.pid}`)

const ROWS = `
  insert into accounts (clerk_user_id, email) values ('ann', 'ann@mill.test');
  select set_config('app.account_id', '1', false), set_config('app.actor', 'person:1', false);
  insert into customers (account_id, name) values (1, 'Harbor Bakery');
  insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    values (1, 1, 100, '2026-01-01', 'yearly', '2027-01-01', 'active');
  insert into imports (account_id, kind, file_name, sha256, headings, rows) values (1, 'contracts', 'a.csv', '', '[]', 1);
  insert into import_updates (account_id, import_id, contract_id, before, version) values (1, 1, 1, '{}', 7);
  insert into reminders (account_id, customer_name, renewal_date, kind, offset_days, due_on, recipient, channel, state,
    planned_at, sent_at)
    values (1, 'Harbor Bakery', '2027-01-01', 'reminder', 30, '2026-12-02', 'customer', 'email', 'sent', now(), now());
  insert into complaints (account_id, reminder_id, source, complained_at) values (1, 1, 'provider', now());
  update contracts set title = 'Cleaning'`

test('messages and changes keep their IDs, the next ones may have 64 bits, and updates of imports can be undone', async () => {
  await database.asOf('0088-order-of-saved-views', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const kept = sql`
      select (select id::float8 from reminders) as message, (select reminder_id::float8 from complaints) as complaint,
        (select id::float8 from activity) as change, (select version_before from import_updates) as version`
    expect(await db.readAs(1)(kept)).toEqual([{ message: 1, complaint: 1, change: 1, version: 6 }])
    const next = sql`
      select max_value::float8 as max from pg_sequences where sequencename in ('reminders_id_seq', 'activity_id_seq')`
    const { rows } = await db.system.query(next)
    expect(rows).toMatchObject([{ max: 2 ** 63 }, { max: 2 ** 63 }])
  } finally {
    await db.close()
  }
})
