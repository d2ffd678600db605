import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import type { BulkAction } from '#shared/domain/bulk-change.ts'
import type { Cents } from '#shared/domain/money.ts'
import type { Actor } from '#server/db/actor.ts'
import { json, texts } from '#server/db/checked-columns.ts'
import { runningBulkPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

export type BulkState = 'running' | 'done' | 'undoing' | 'undone'

/** The same change for many contracts. */
export const BulkChangeEntity = defineEntity({
  name: 'BulkChange',
  tableName: 'bulk_changes',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), runningBulkPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    action: p.text().$type<BulkAction>(),
    /** As `StoredRequest` reads it. */
    request: json(z.record(z.string(), z.unknown())),
    state: p.text().$type<BulkState>(),
    /** How many contracts were selected. */
    total: p.integer(),
    /** The last contract that has been processed: they are changed, and undone, in the order of their ids. */
    through: p.integer(),
    createdAt: p.datetime(),
    createdBy: p.text().$type<Actor>(),
    endedAt: p.datetime().nullable(),
  },
})

/** One of its contracts. */
export const BulkContractEntity = defineEntity({
  name: 'BulkContract',
  tableName: 'bulk_contracts',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    bulkId: p.integer().primary(),
    contractId: p.integer().primary(),
    /** The term that it had when it was selected. */
    termNumber: p.integer().nullable(),
    state: p.text().$type<'waiting' | 'changed' | 'left_out' | 'undone' | 'kept'>(),
    /** Why it was left out; or, if it was not undone, the names of what was changed since. */
    reason: p.text().nullable(),
    /** The renewal or end. */
    decisionId: p.integer().nullable(),
    /** The scheduled price before and after a change of prices. */
    beforeCents: p.bigint('number').$type<Cents>().nullable(),
    afterCents: p.bigint('number').$type<Cents>().nullable(),
    /** When it was moved to the trash. */
    deletedAt: p.datetime().nullable(),
    /** The tags before and after a change of tags. */
    beforeTags: texts().nullable(),
    afterTags: texts().nullable(),
  },
})
