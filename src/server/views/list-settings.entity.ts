import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** What an account's lists show unless chosen otherwise. An account that never chose has no row. */
export const ListSettingsEntity = defineEntity({
  name: 'ListSettings',
  tableName: 'list_settings',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    /** Names separated by commas; null: the usual ones. A name may be gone since. */
    contractColumns: p.text().nullable(),
  },
})
