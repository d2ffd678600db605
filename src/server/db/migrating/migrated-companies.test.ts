import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const database = useOwnedDatabase(`companies_before_${process.pid}`)

/** Of five accounts: with all, with a name, with a reply-to address, with blanks, and one that never chose. */
const ROWS = `
  insert into accounts (clerk_user_id, email) select clerk_user_id, clerk_user_id || '@x' from unnest('{a,b,c,d,e}'::text[]) clerk_user_id;
  insert into reminder_preferences (account_id, enable_notifications, reminder_days, follow_up_days, email, in_app, hour,
    sender_name, reply_to)
  values (1, true, '{7}', '{1}', true, true, 9, 'Mill & Sons', 'office@mill.test'),
    (2, true, '{7}', '{1}', true, true, 8, ' Harbor ', null), (3, true, '{7}', '{1}', true, true, 8, null, 'a@b.test'),
    (4, true, '{7}', '{1}', true, true, 8, '', '')`

test('sender names are company names, and no reply-to address is confirmed by that', async () => {
  await database.asOf('0017-trials-by-address', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const company = sql`select name, reply_to as "replyTo", reply_to_confirmed_at as "confirmedAt" from companies`
    const found = await Promise.all([1, 2, 3, 4, 5].map((id) => db.readAs(id)(company)))
    expect(found).toEqual([
      [{ name: 'Mill & Sons', replyTo: 'office@mill.test', confirmedAt: null }],
      [{ name: 'Harbor', replyTo: null, confirmedAt: null }],
      [{ name: null, replyTo: 'a@b.test', confirmedAt: null }],
      [],
      [],
    ])
    expect(await db.readAs(1)(sql`select hour from reminder_preferences`)).toEqual([{ hour: 9 }])
  } finally {
    await db.close()
  }
})
