import { defineEntity, p } from '@mikro-orm/core'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** The latest code of an account; another one takes its place. */
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
