import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** A tag that the account has used, with its spelling. Customers and contracts have theirs in a column. */
export const TagEntity = defineEntity({
  name: 'Tag',
  tableName: 'tags',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    name: p.text(),
    /** See `tagKey`. */
    key: p.text(),
  },
})
