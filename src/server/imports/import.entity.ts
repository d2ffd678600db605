import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { json } from '#server/db/checked-columns.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'
import { Cell } from './sheet/cells.ts'
import { StoredProblem } from './sheet/parse-row.ts'

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
    headings: json(z.array(z.string())),
    rows: p.integer(),
    created: p.integer().default(0),
    createdCustomers: p.integer().default(0),
    /** Contracts that were changed, and rows with the reference of one that were left out or changed nothing. */
    updated: p.integer().default(0),
    unchanged: p.integer().default(0),
    /** How many of the changed contracts can still be put back. */
    updatedKept: p.integer().default(0),
    failed: p.integer().default(0),
    /** How many failed rows are still stored; null for imports that stored all of them. */
    failedKept: p.integer().nullable(),
    throughLine: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    undoneAt: p.datetime().nullable(),
    isSample: p.boolean().default(false),
  },
})

export const ImportFailureEntity = defineEntity({
  name: 'ImportFailure',
  tableName: 'import_failures',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    importId: p.integer().primary(),
    line: p.integer().primary(),
    problems: json(z.array(StoredProblem)),
    cells: json(z.array(Cell)),
  },
})

/** A contract that an import changed, as it was before. */
export const ImportUpdateEntity = defineEntity({
  name: 'ImportUpdate',
  tableName: 'import_updates',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    importId: p.integer().primary(),
    contractId: p.integer().primary(),
    before: json(z.record(z.string(), z.unknown())),
    /** The contract's version before, and since: a later change has another one. */
    versionBefore: p.integer(),
    version: p.integer(),
  },
})

/** Which column of a file is which field, as it was chosen for files with the same headings. */
export const ImportMappingEntity = defineEntity({
  name: 'ImportMapping',
  tableName: 'import_mappings',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    kind: p.text().$type<ImportKind>().primary(),
    headingsKey: p.text().primary(),
    mapping: json(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})
