import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import type { Day } from '#shared/domain/day.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** A further contact of a customer. The first one is in the customer's own row. */
export const CustomerContactEntity = defineEntity({
  name: 'CustomerContact',
  tableName: 'customer_contacts',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    customerId: p.integer(),
    name: p.text(),
    role: p.text().nullable(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    /** Whether it gets the customer's reminders and follow-ups. */
    reminders: p.boolean(),
    /** The first day whose messages it gets: earlier days were planned without it. */
    remindersFrom: p.date().$type<Day>(),
    createdAt: p.datetime(),
    /** Counted by the database. */
    version: p.integer().default(1),
  },
})
export type CustomerContact = InferEntity<typeof CustomerContactEntity>
