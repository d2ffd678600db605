import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const database = useOwnedDatabase(`bounces_before_${process.pid}`)

/** Of two accounts: what bounced, was refused, or works again since. */
const ROWS = `
  insert into accounts (clerk_user_id, email) values ('a', 'a@x'), ('b', 'b@x');
  insert into reminders (account_id, customer_name, renewal_date, kind, offset_days, due_on, recipient, channel, state,
    reason, address, answer, planned_at, bounced_at, cleared_at)
  select account_id, 'Acme', '2026-05-01', 'manual', 0, '2026-03-10', 'customer', 'email', state,
    case state when 'failed' then 'refused' end, address, answer, now(), bounced_at::timestamptz, cleared_at::timestamptz
  from (values
    (1, 'bounced', 'Orders@Harbor.test', 'first', '2026-03-10', null),
    (1, 'bounced', 'orders@harbor.test', 'second', '2026-03-11', null),
    (1, 'bounced', 'orders@harbor.test', 'before', '2026-02-10', '2026-02-12'),
    (1, 'failed', 'office@mill.test', 'refused', '2026-03-12', null),
    (1, 'failed', 'late@mill.test', 'too busy', null, null),
    (1, 'delivered', 'well@mill.test', null, null, null),
    (2, 'bounced', 'orders@harbor.test', 'theirs', '2026-03-13', null)
  ) old (account_id, state, address, answer, bounced_at, cleared_at)`

test('addresses that bounced before they had a table are in it, each once, also for an owner whom row-level security binds', async () => {
  await database.asOf('0015-cleared-addresses', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const addresses = sql`select address, answer, cleared_at is null as "isBounced" from bounced_addresses order by 1, 3`
    expect(await db.readAs(1)(addresses)).toEqual([
      { address: 'office@mill.test', answer: 'refused', isBounced: true },
      { address: 'orders@harbor.test', answer: 'before', isBounced: false },
      { address: 'orders@harbor.test', answer: 'first', isBounced: true },
    ])
    expect(await db.readAs(2)(addresses)).toMatchObject([{ address: 'orders@harbor.test', answer: 'theirs' }])
    const bounced = sql`select answer from reminders where bounced_at is not null order by id`
    expect(await db.readAs(1)(bounced)).toEqual([{ answer: 'first' }, { answer: 'second' }, { answer: 'before' }])
  } finally {
    await db.close()
  }
})
