import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const database = useOwnedDatabase(`closed_before_${process.pid}`)

/** One who unsubscribed, one whom the owner turned on again or moved since, one who complained, and one turned off. */
const ROWS = `
  insert into accounts (clerk_user_id, email) values ('a', 'a@x'), ('b', 'b@x');
  insert into customers (account_id, name, email, send_notifications) values
    (1, 'Left', 'Left@harbor.test', false), (1, 'On Again', 'again@harbor.test', true),
    (1, 'Moved', 'new@harbor.test', false), (1, 'Complained', 'spam@harbor.test', true),
    (1, 'Turned Off', 'off@harbor.test', false), (2, 'Elsewhere', 'left@harbor.test', true);
  insert into notifications (account_id, type, title, message, action_url, created_at)
  select account_id, 'other', name || ' unsubscribed',
    name || ' does not want reminders by email any more. No more are sent to them.', '/customers?open=' || id,
    '2026-03-10'
  from customers where name in ('Left', 'On Again', 'Moved');
  insert into reminders (account_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on, recipient,
    channel, state, address, body, planned_at, sent_at)
  select account_id, id, name, '2026-05-01', 'manual', 0, '2026-03-09', 'customer', 'email', 'sent',
    case name when 'Moved' then 'Old@harbor.test' else email end,
    e'Hello\\n\\n-- \\nNote\\nUnsubscribe: http://x/unsubscribe/1.2.y', now(), '2026-03-09'
  from customers where name in ('Moved', 'Complained');
  insert into bounced_addresses (account_id, address, bounced_at, answer, cleared_at) values
    (1, 'spam@harbor.test', '2026-03-11', 'Marked as spam', '2026-03-12'),
    (1, 'gone@harbor.test', '2026-03-11', '550 no such user', null)`

test('who unsubscribed or complained before there was a list is on it, whatever the owner has done since', async () => {
  await database.asOf('0028-api-key-scopes', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const closed = sql`select address, reason, closed_at::date::text as since from closed_addresses order by address`
    expect(await db.readAs(1)(closed)).toEqual([
      { address: 'again@harbor.test', reason: 'unsubscribed', since: '2026-03-10' },
      { address: 'left@harbor.test', reason: 'unsubscribed', since: '2026-03-10' },
      { address: 'old@harbor.test', reason: 'unsubscribed', since: '2026-03-10' },
      { address: 'spam@harbor.test', reason: 'complained', since: '2026-03-11' },
    ])
    expect(await db.readAs(2)(closed)).toEqual([])
    const wishes = sql`
      select name, send_notifications as wants, edited_at is not null as edited from customers order by id`
    expect(await db.readAs(1)(wishes)).toEqual([
      { name: 'Left', wants: true, edited: false },
      { name: 'On Again', wants: true, edited: false },
      { name: 'Moved', wants: false, edited: false },
      { name: 'Complained', wants: true, edited: false },
      { name: 'Turned Off', wants: false, edited: false },
    ])
    const bounced = sql`select address from bounced_addresses where cleared_at is null`
    expect(await db.readAs(1)(bounced)).toEqual([{ address: 'gone@harbor.test' }])
    const bodies = await db.readAs(1)(sql`select distinct body from reminders`)
    expect(bodies).toEqual([{ body: 'Hello\n\n-- \nNote' }])
  } finally {
    await db.close()
  }
})
