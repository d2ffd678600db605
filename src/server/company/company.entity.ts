import { defineEntity, p } from '@mikro-orm/core'
import { logosPolicy, tenantPolicy, untoldOwnersPolicy } from '#server/db/tenant-policies.ts'

/** An account that has not entered anything about its company has no row. */
export const CompanyEntity = defineEntity({
  name: 'Company',
  tableName: 'companies',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), logosPolicy(), untoldOwnersPolicy()],
  properties: {
    accountId: p.integer().primary(),
    name: p.text().nullable(),
    replyTo: p.text().nullable(),
    replyToConfirmedAt: p.datetime().nullable(),
    postalAddress: p.text().nullable(),
    logoPath: p.text().nullable(),
    /** When the first message to a customer had to wait for a name; never cleared. */
    waitingSince: p.datetime().nullable(),
    ownerToldAt: p.datetime().nullable(),
  },
})
