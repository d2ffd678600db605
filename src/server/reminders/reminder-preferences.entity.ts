import { defineEntity, p } from '@mikro-orm/core'
import { integers } from '#server/db/checked-columns.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'
import type { TextKind } from '#shared/domain/reminder-text.ts'

/** An account that never changed its preferences has no row. */
export const ReminderPreferencesEntity = defineEntity({
  name: 'ReminderPreferences',
  tableName: 'reminder_preferences',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    enableNotifications: p.boolean(),
    reminderDays: integers(),
    followUpDays: integers(),
    email: p.boolean(),
    inApp: p.boolean(),
    hour: p.integer(),
  },
})

/** One contract's own preferences; null means the account's. */
export const ContractReminderPreferencesEntity = defineEntity({
  name: 'ContractReminderPreferences',
  tableName: 'contract_reminder_preferences',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    contractId: p.integer().primary(),
    enableNotifications: p.boolean().nullable(),
    reminderDays: integers().nullable(),
    followUpDays: integers().nullable(),
    email: p.boolean().nullable(),
    inApp: p.boolean().nullable(),
  },
})

/** An account's message templates; without a row the default is used. */
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
