import { defineEntity, p } from '@mikro-orm/core'
import type { KeyScope } from '#shared/domain/api-key.ts'
import type { Day } from '#shared/domain/day.ts'
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
    scope: p.text().$type<KeyScope>(),
    /** The last day on which it works, in the account's time zone. */
    expiresOn: p.date().$type<Day>().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lastUsedAddress: p.text().nullable(),
    revokedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})
