import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** An address that takes no mail, until its owner says that it works: then one that bounces again gets another row. */
export const BouncedAddressEntity = defineEntity({
  name: 'BouncedAddress',
  tableName: 'bounced_addresses',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    id: p.integer().primary(),
    /** In lower case. */
    address: p.text(),
    bouncedAt: p.datetime(),
    /** What the mail server said. */
    answer: p.text().nullable(),
    clearedAt: p.datetime().nullable(),
  },
})
