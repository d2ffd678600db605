import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** An account's latest code; a new one replaces it. */
export const ReplyToCodeEntity = defineEntity({
  name: 'ReplyToCode',
  tableName: 'reply_to_codes',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    address: p.text(),
    codeHash: p.text(),
    attempts: p.integer().default(0),
    expiresAt: p.datetime(),
  },
})
