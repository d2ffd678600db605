import { defineEntity, p } from '@mikro-orm/core'
import { systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), systemPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    name: p.text(),
    keyHash: p.blob().unique(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})
