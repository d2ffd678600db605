import { defineEntity, p } from '@mikro-orm/core'
import { systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

/** What was last read from Stripe about an account's subscription; only `syncSubscription` writes it. */
export const SubscriptionEntity = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), systemPolicy()],
  properties: {
    accountId: p.integer().primary(),
    stripeSubscriptionId: p.text().unique(),
    status: p.text(),
    trialEnd: p.datetime().nullable(),
    currentPeriodEnd: p.datetime().nullable(),
    cancelAt: p.datetime().nullable(),
    canceledAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    pastDueSince: p.datetime().nullable(),
    everPaidOrTrialed: p.boolean().default(false),
    priceCents: p.integer().nullable(),
    syncedAt: p.datetime(),
  },
})
