import { defineEntity, p } from '@mikro-orm/core'
import { texts } from '#server/db/checked-columns.ts'
import { actingSettingsPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'
import type { Day } from '#shared/domain/day.ts'

/** An account that never changed them has no row. */
export const RenewalSettingsEntity = defineEntity({
  name: 'RenewalSettings',
  tableName: 'renewal_settings',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), actingSettingsPolicy()],
  properties: {
    accountId: p.integer().primary(),
    /** Customers are told when their contracts are renewed. */
    confirmRenewals: p.boolean().default(false),
    /** Contracts that renew by agreement end this many days after their renewal date; null: they stay overdue. */
    endOverdueAfterDays: p.integer().nullable(),
    /** Why contracts end, as a list to choose from; null: the default. */
    endReasons: texts().nullable(),
    /** The last day on which overdue contracts were ended. */
    endedThrough: p.date().$type<Day>().nullable(),
  },
})
