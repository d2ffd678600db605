import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import type { ActivitySubject } from '#shared/domain/activity.ts'
import { json } from '#server/db/checked-columns.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

export const Columns = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
)

/** A change of a customer or contract, recorded by triggers, which also delete the oldest of very many. */
export const ActivityEntity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.bigint('number').primary(),
    accountId: p.integer(),
    about: p.text().$type<ActivitySubject>(),
    /** Its ID; the row itself may be gone. */
    aboutId: p.integer(),
    at: p.datetime().defaultRaw('now()'),
    /** On whose behalf the transaction ran. */
    actor: p.text(),
    /** The columns that changed. Of a deleted row: all of them, and nothing after. */
    before: json(Columns),
    after: json(Columns).nullable(),
  },
})

/** What a person, or a program with an API key, has written about a customer or contract. */
export const NoteEntity = defineEntity({
  name: 'Note',
  tableName: 'notes',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    /** Either of these. */
    customerId: p.integer().nullable(),
    contractId: p.integer().nullable(),
    text: p.text(),
    createdAt: p.datetime(),
    createdBy: p.text(),
    editedAt: p.datetime().nullable(),
  },
})
