import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'
import type { Cell } from './cells.ts'
import type { KeptProblem } from './failed-rows.ts'

export const ImportFailureEntity = defineEntity({
  name: 'ImportFailure',
  tableName: 'import_failures',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    importId: p.integer().primary(),
    line: p.integer().primary(),
    problems: p.json<KeptProblem[]>(),
    cells: p.json<Cell[]>(),
  },
})
