import { expect, test } from 'vitest'
import { useOwnedDatabase } from '#support/owned-database.ts'
import { openDatabase } from '#server/boot/open-database.ts'

const database = useOwnedDatabase(`trials_before_${process.pid}`)

/** Three of one mailbox, of whom the first has begun the trial, and the last came to the mailbox later. */
const ROWS = `
  insert into accounts (clerk_user_id, email, stripe_customer_id, trial_used_at)
    values ('ann', 'ann@mill.test', 'cus_ann', '2026-01-01Z'), ('other', 'ann+2@mill.test', 'cus_other', '2026-01-01Z'), ('late', 'ann+3@mill.test', 'cus_late', null);
  insert into subscriptions (account_id, stripe_subscription_id, status, ever_paid_or_trialed, synced_at)
    values (1, 'sub_ann', 'trialing', true, now())`

test('a trial that has begun before stays that of its account, also for an owner whom row-level security binds', async () => {
  await database.asOf('0056-cleared-notifications', ROWS)
  await database.migrate()
  const db = await openDatabase(database.owner)
  try {
    const { rows: unused } = await db.system.query(
      'select clerk_user_id as who from accounts where trial_used_at is null',
    )
    expect(unused).toEqual([])
    const { rows } = await db.system.query(`
      select clerk_user_id as who, claim_trial(stripe_customer_id, '2026-03-01Z') as "isOwn" from accounts order by id`)
    expect(rows).toEqual([
      { who: 'ann', isOwn: true },
      { who: 'other', isOwn: false },
      { who: 'late', isOwn: false },
    ])
  } finally {
    await db.close()
  }
})
