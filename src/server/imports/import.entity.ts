import { defineEntity, p } from '@mikro-orm/core'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

export const ImportEntity = defineEntity({
  name: 'Import',
  tableName: 'imports',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    kind: p.text().$type<ImportKind>(),
    fileName: p.text(),
    sha256: p.blob(),
    headings: p.json<string[]>(),
    rows: p.integer(),
    created: p.integer().default(0),
    createdCustomers: p.integer().default(0),
    failed: p.integer().default(0),
    /** How many failed rows can still be looked at; null for imports that kept all of them. */
    failedKept: p.integer().nullable(),
    throughLine: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    takenBackAt: p.datetime().nullable(),
    isSample: p.boolean().default(false),
  },
})
