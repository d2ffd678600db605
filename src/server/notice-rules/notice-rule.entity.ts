import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import { NOTICE_CONTENTS, NOTICE_MEANS, type NoticeAnchor } from '#shared/domain/notice-window.ts'
import type { NoticePresetKey } from '#shared/domain/notice-presets.ts'
import type { NoticeUnit } from '#shared/domain/notice-period.ts'
import { words } from '#server/db/checked-columns.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

/** A rule of the account: its own, or taken over from a law. */
export const NoticeRuleEntity = defineEntity({
  name: 'NoticeRule',
  tableName: 'notice_rules',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    name: p.text(),
    /** Null: the account's own. */
    preset: p.text().$type<NoticePresetKey>().nullable(),
    unit: p.text().$type<NoticeUnit>(),
    fromCount: p.integer(),
    untilCount: p.integer(),
    countedFrom: p.text().$type<NoticeAnchor>(),
    means: words(z.enum(NOTICE_MEANS)),
    contents: words(z.enum(NOTICE_CONTENTS)),
    exceptMonthly: p.boolean(),
    createdAt: p.datetime(),
  },
})

/** For which contracts a rule is chosen: one, those of a customer, those with a tag, or all if none of these is given. */
export const NoticeChoiceEntity = defineEntity({
  name: 'NoticeChoice',
  tableName: 'notice_choices',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    contractId: p.integer().nullable(),
    customerId: p.integer().nullable(),
    /** See `tagKey`. */
    tagKey: p.text().nullable(),
    /** Null: no rule, whatever is chosen less specifically. */
    ruleId: p.integer().nullable(),
  },
})
