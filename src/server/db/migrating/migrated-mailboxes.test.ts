import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const database = useOwnedDatabase(`mailboxes_before_${process.pid}`)

test('of several spellings of one mailbox one is left: a complaint, or the oldest', async () => {
  await database.asOf(
    '0034-complaints',
    `insert into accounts (clerk_user_id, email) values ('a', 'a@x'), ('b', 'b@x');
    insert into closed_addresses (account_id, address, reason, closed_at) values
      (1, 'bob@gmail.com', 'unsubscribed', '2026-03-01'), (1, 'b.ob@gmail.com', 'complained', '2026-03-03'),
      (1, 'bob+x@googlemail.com', 'complained', '2026-03-04'), (1, 'eve+1@x.test', 'unsubscribed', '2026-03-02'),
      (1, 'eve@x.test', 'unsubscribed', '2026-03-01'), (1, 'mill@x.test', 'unsubscribed', '2026-03-01'),
      (2, 'eve@x.test', 'complained', '2026-03-05')`,
  )
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const closed = sql`select address, mailbox, reason from closed_addresses order by address`
    expect(await db.readAs(1)(closed)).toEqual([
      { address: 'b.ob@gmail.com', mailbox: 'bob@gmail.com', reason: 'complained' },
      { address: 'eve@x.test', mailbox: 'eve@x.test', reason: 'unsubscribed' },
      { address: 'mill@x.test', mailbox: 'mill@x.test', reason: 'unsubscribed' },
    ])
    expect(await db.readAs(2)(closed)).toMatchObject([{ address: 'eve@x.test', reason: 'complained' }])
  } finally {
    await db.close()
  }
})
