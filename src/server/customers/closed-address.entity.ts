import { defineEntity, p } from '@mikro-orm/core'
import type { ClosedReason } from '#shared/domain/closed-address.ts'
import { closuresPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

/** An address whose reader wants no more mail from the account. The row is deleted when they subscribe again. */
export const ClosedAddressEntity = defineEntity({
  name: 'ClosedAddress',
  tableName: 'closed_addresses',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), closuresPolicy()],
  properties: {
    accountId: p.integer().primary(),
    /** In lower case. It is found by its mailbox, which the table derives from it. */
    address: p.text().primary(),
    reason: p.text().$type<ClosedReason>(),
    closedAt: p.datetime(),
  },
})
