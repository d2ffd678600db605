import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import { json } from '#server/db/checked-columns.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** Filters, order and columns of the contracts page under a name. */
export const SavedViewEntity = defineEntity({
  name: 'SavedView',
  tableName: 'saved_views',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    name: p.text(),
    /** Folded as tags are. */
    key: p.text(),
    /** Checked when it is saved. A filter may be gone since, so that whoever opens it reads it as any address. */
    search: json(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
    sortPosition: p.integer(),
  },
})
