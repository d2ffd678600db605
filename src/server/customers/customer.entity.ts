import { defineEntity, p } from '@mikro-orm/core'
import { texts } from '#server/db/checked-columns.ts'
import { tenantWithTrashPolicy, trashPolicy } from '#server/db/tenant-policies.ts'

export const CustomerEntity = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  rowLevelSecurity: 'force',
  policies: [tenantWithTrashPolicy(), trashPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    name: p.text(),
    address: p.text().nullable(),
    phone: p.text().nullable(),
    customerNumber: p.text().nullable(),
    email: p.text().nullable(),
    /** Who the first contact is; its address, phone and notifications are the customer's own. */
    contactName: p.text().nullable(),
    contactRole: p.text().nullable(),
    sendNotifications: p.boolean().default(true),
    /** As `spelledTags` has them. */
    tags: texts().defaultRaw(`'{}'`),
    /** Counts the changes of the row; kept by the table itself. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
    /** On whose behalf; set by the table itself, and null for those older than that. */
    createdBy: p.text().nullable().defaultRaw(`nullif(current_setting('app.actor', true), '')`),
    importId: p.integer().nullable(),
    /** The ID that the customer had in the file that it was imported from. */
    sourceId: p.integer().nullable(),
    /** When an imported row was first changed by hand; kept by the table itself. */
    editedAt: p.datetime().nullable(),
    /** When it was moved to the trash. */
    deletedAt: p.datetime().nullable(),
  },
})
