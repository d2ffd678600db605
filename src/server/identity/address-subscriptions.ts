import sql from 'sql-template-tag'
import { z } from 'zod'
import { readRows } from '#server/db/rows.ts'
import type { System } from '#server/db/connections/system.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from './subscription.rows.ts'

const SubscriptionRow = z.object({ subscription: SubscriptionField })

/** The subscriptions of the accounts whose owner has this mailbox, however its address is written. */
export async function subscriptionsOfAddress(system: System, email: string) {
  const statement = sql`
    select ${SUBSCRIPTION_JSON} as subscription from accounts a join subscriptions s on s.account_id = a.id
    where trial_hash(a.email) = trial_hash(${email}) and a.email <> '' and a.deleting_at is null`
  const rows = await readRows(system, statement, SubscriptionRow)
  return rows.map(({ subscription }) => subscription)
}
