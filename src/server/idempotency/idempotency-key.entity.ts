import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** A call that was sent with an Idempotency-Key. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    key: p.text().primary(),
    /** The digest of the call, its input included; null while it is running. */
    request: p.blob().nullable(),
    /** As JSON; null while it is running, and where it holds a secret. */
    answer: p.text().nullable(),
    createdAt: p.datetime(),
    /** Which attempt took the key; null for one of an older server. */
    claimId: p.uuid().nullable(),
  },
})
