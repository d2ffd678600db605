import { defineEntity, p } from '@mikro-orm/core'
import { systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

/** The PDF that a contract had before, for as long as deleting or replacing it can be undone. */
export const KeptPdfEntity = defineEntity({
  name: 'KeptPdf',
  tableName: 'kept_pdfs',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), systemPolicy()],
  properties: {
    accountId: p.integer().primary(),
    contractId: p.integer().primary(),
    path: p.text(),
    bytes: p.bigint('number').nullable(),
    keptAt: p.datetime(),
  },
})
