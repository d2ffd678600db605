import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const database = useOwnedDatabase(`owners_before_${process.pid}`)

/** Of the deleted account of 'cleo+1' an account of the same address is open already, and there is another of it. */
const ROWS = `
  insert into spent_trials select trial_hash(email), now() from unnest(array['Bob@Mill.test', 'cleo+1@mill.test']) email;
  insert into kept_closures
    select trial_hash('cleo+1@mill.test'), kept_mailbox(trial_hash('cleo+1@mill.test'), 'ann@mill.test'), 'complained', now();
  insert into accounts (clerk_user_id, email, former_hash)
    values ('cleo', 'cleo+1@mill.test', trial_hash('cleo+1@mill.test'))`

test('what was kept under an address as it was written is found by that, and by its mailbox', async () => {
  await database.asOf('0042-planning-by-services', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const { rows } = await db.system.query(`
      select email from unnest(array['bob+2@mill.test', 'cleo+1@mill.test ', 'dora@mill.test']) email
      where exists (select from spent_trials where email_hash = any (trial_hashes(email))) order by email`)
    expect(rows).toEqual([{ email: 'bob+2@mill.test' }, { email: 'cleo+1@mill.test ' }])
    const closed = await db.writeAs(1, async (em) => {
      await em.execute(`insert into customers (account_id, name, email) values (1, 'Ann', 'Ann+2@mill.test')`)
      return em.execute('select mailbox, reason from closed_addresses')
    })
    expect(closed).toEqual([{ mailbox: 'ann@mill.test', reason: 'complained' }])

    // Another comes to that past with a customer whom it already has.
    await db.system.query(`insert into accounts (clerk_user_id, email) values ('dora', 'dora@mill.test')`)
    await db.writeAs(2, (em) =>
      em.execute(`insert into customers (account_id, name, email) values (2, 'Ann', 'ann@mill.test')`),
    )
    await db.system.query(`
      update accounts d set former_hashes = c.former_hashes from accounts c where d.id = 2 and c.id = 1`)
    expect(await db.readAs(2)(sql`select reason from closed_addresses`)).toEqual([{ reason: 'complained' }])
  } finally {
    await db.close()
  }
})
