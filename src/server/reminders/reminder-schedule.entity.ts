import { defineEntity, p } from '@mikro-orm/core'
import { systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'
import type { Day } from '#shared/domain/day.ts'

/** When an account's reminders are planned next. Every account with a contract has a row. */
export const ReminderScheduleEntity = defineEntity({
  name: 'ReminderSchedule',
  tableName: 'reminder_schedules',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), systemPolicy()],
  properties: {
    accountId: p.integer().primary(),
    /** The last day whose occasions are all decided. */
    plannedThrough: p.date().$type<Day>(),
    nextPlanAt: p.datetime(),
    plannedAt: p.datetime().nullable(),
  },
})
