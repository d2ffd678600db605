import sql from 'sql-template-tag'
import { z } from 'zod'
import { columnsOf } from '#server/db/columns.ts'
import type { System } from '#server/db/connections/system.ts'
import { readRows } from '#server/db/rows.ts'
import { SubscriptionEntity } from './subscription.entity.ts'

const OWN = columnsOf(SubscriptionEntity, 's', [
  'status',
  'trialEnd',
  'currentPeriodEnd',
  'cancelAt',
  'canceledAt',
  'endedAt',
  'pastDueSince',
  'everPaidOrTrialed',
  'priceCents',
])

/** A subscription `s` as JSON, for joins in which an account may have none. */
export const SUBSCRIPTION_JSON = sql`
  case when s.account_id is not null then (select row_to_json(o) from (select ${OWN}) o) end`

export const SubscriptionField = z.object(OWN.fields).nullable()

const SubscriptionRow = z.object({ subscription: SubscriptionField })

/** The subscriptions of the accounts whose owner has this mailbox, however its address is written. */
export async function subscriptionsOfAddress(system: System, email: string) {
  const statement = sql`
    select ${SUBSCRIPTION_JSON} as subscription from accounts a join subscriptions s on s.account_id = a.id
    where trial_hash(a.email) = trial_hash(${email}) and a.email <> '' and a.deleting_at is null`
  const rows = await readRows(system, statement, SubscriptionRow)
  return rows.map(({ subscription }) => subscription)
}
