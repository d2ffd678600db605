import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/boot/open-database.ts'
import { useOwnedDatabase } from '#support/owned-database.ts'

const database = useOwnedDatabase(`contacts_before_${process.pid}`)

const ROWS = `
  insert into accounts (clerk_user_id, email) values ('ann', 'ann@mill.test');
  select set_config('app.account_id', '1', false), set_config('app.actor', 'person:1', false);
  insert into customers (account_id, name, contact_name) values (1, 'Harbor Bakery', 'José Peña'), (1, 'Quay', null);
  insert into customer_contacts (account_id, customer_id, name, email, phone, reminders, reminders_from, created_at)
    values (1, 2, 'Zoë', 'zoe@quay.test', '(555) 010-0', true, '2026-01-01', now())`

test('contacts that were there before are found by an owner who is no superuser, and no version has changed', async () => {
  await database.asOf('0093-suspended-accounts', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const found = (search: string) => db.readAs(1)(sql`select find_customers(1, ${search}, false) as id`)
    for (const search of ['jose', 'é']) expect(await found(search)).toContainEqual({ id: 1 })
    for (const search of ['zoe', '@quay', '555-010', '5550']) expect(await found(search)).toEqual([{ id: 2 }])
    const versions = sql`select (select array_agg(distinct version) from customers) as customers,
      (select array_agg(version) from customer_contacts) as contacts`
    expect(await db.readAs(1)(versions)).toEqual([{ customers: [1], contacts: [1] }])
    const { rows } = await db.system.query(sql`
      select relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where relname in ('customer_contacts_search', 'customers_contact_search') and i.indisvalid order by 1`)
    expect(rows).toEqual([{ name: 'customer_contacts_search' }, { name: 'customers_contact_search' }])
  } finally {
    await db.close()
  }
})
