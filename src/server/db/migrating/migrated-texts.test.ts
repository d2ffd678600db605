import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const database = useOwnedDatabase(`texts_before_${process.pid}`)

/** One account has worded both texts, one only the follow-up. */
const ROWS = `
  insert into accounts (clerk_user_id, email) select clerk_user_id, clerk_user_id || '@x' from unnest('{a,b}'::text[]) clerk_user_id;
  insert into reminder_texts (account_id, kind, subject, body)
  values (1, 'reminder', 'Soon', 'Hello'), (1, 'follow_up', 'Late', 'Hello'), (2, 'follow_up', 'Late', 'Hello')`

test('what an account has worded for all its reminders it keeps, however a contract renews', async () => {
  await database.asOf('0073-notice-dates', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const texts = sql`select kind, subject, body from reminder_texts order by kind`
    const [late, soon] = [
      { subject: 'Late', body: 'Hello' },
      { subject: 'Soon', body: 'Hello' },
    ]
    expect(await db.readAs(1)(texts)).toEqual([
      { kind: 'follow_up', ...late },
      { kind: 'reminder', ...soon },
      { kind: 'reminder_automatic', ...soon },
      { kind: 'reminder_never', ...soon },
    ])
    expect(await db.readAs(2)(texts)).toEqual([{ kind: 'follow_up', ...late }])
  } finally {
    await db.close()
  }
})
