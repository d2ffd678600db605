import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'
import type { TextKind } from '#shared/domain/reminder-text.ts'

/** What an account writes to its customers in its own words; without a row a text is the default. */
export const ReminderTextEntity = defineEntity({
  name: 'ReminderText',
  tableName: 'reminder_texts',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    kind: p.text().$type<TextKind>().primary(),
    subject: p.text(),
    body: p.text(),
  },
})
