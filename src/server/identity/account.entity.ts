import { defineEntity, p } from '@mikro-orm/core'
import { blobs } from '#server/db/checked-columns.ts'
import { systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

export const AccountEntity = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy('id'), systemPolicy()],
  properties: {
    id: p.integer().primary(),
    clerkUserId: p.text().unique(),
    email: p.text(),
    name: p.text().default(''),
    timeZone: p.text().nullable(),
    stripeCustomerId: p.text().unique().nullable(),
    /** When the mailbox's trial was used, by this account or another. */
    trialUsedAt: p.datetime().nullable(),
    /** When a trial of this account's own began. */
    trialBeganAt: p.datetime().nullable(),
    subscriptionReadAt: p.datetime().defaultRaw('now()'),
    /** The hashes under which facts of the owner's deleted accounts are kept; null if there are none. */
    formerHashes: blobs().nullable(),
    deletingAt: p.datetime().nullable(),
    /** When the owner was emailed that the account will be deleted, because its access has ended. */
    firstDeletionNoticeAt: p.datetime().nullable(),
    lastDeletionNoticeAt: p.datetime().nullable(),
    /** Since when the operator has suspended it, and why, in words for its owner. */
    suspendedAt: p.datetime().nullable(),
    suspensionReason: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})
