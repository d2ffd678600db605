import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

export const CustomerEntity = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    name: p.text(),
    address: p.text().nullable(),
    phone: p.text().nullable(),
    customerNumber: p.text().nullable(),
    email: p.text().nullable(),
    sendNotifications: p.boolean().default(true),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})
