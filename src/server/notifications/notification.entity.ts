import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'
import type { NotificationType } from './texts.ts'

export const NotificationEntity = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    type: p.text().$type<NotificationType>(),
    title: p.text(),
    message: p.text(),
    actionUrl: p.text().nullable(),
    readAt: p.datetime().nullable(),
    /** Hidden from then on, and deleted a day later. */
    clearedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})
