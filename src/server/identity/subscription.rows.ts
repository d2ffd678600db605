import sql from 'sql-template-tag'
import { z } from 'zod'
import { columnsOf } from '#server/db/columns.ts'
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
