import type { ReaderContext } from '#server/context.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import { NoticeChoiceEntity, NoticeRuleEntity } from '#server/notice-rules/notice-rule.entity.ts'
import { plainTable } from './tables.ts'

export const noticeRulesTable = (ctx: ReaderContext) => plainTable(ctx, NoticeRuleEntity, NOTICE_RULES)
export const noticeChoicesTable = (ctx: ReaderContext) => plainTable(ctx, NoticeChoiceEntity, NOTICE_CHOICES)
export const noticesTable = (ctx: ReaderContext) => plainTable(ctx, NoticeEntity, NOTICES)

const NOTICE_RULES = {
  id: 'ID',
  name: 'Name',
  preset: 'Law',
  unit: 'Unit',
  fromCount: 'From',
  untilCount: 'Until',
  countedFrom: 'Counted From',
  means: 'Counts By',
  contents: 'Must Say',
  exceptMonthly: 'Except Monthly',
  createdAt: 'Date',
}

/** Notice windows that have opened, and the letters posted in them. */
const NOTICES = {
  id: 'ID',
  contractId: 'Contract ID',
  customerId: 'Customer ID',
  customerName: 'Customer',
  termNumber: 'Term Number',
  renewalDate: 'Renewal Date',
  amountCents: 'Amount in Cents',
  ruleName: 'Rule',
  preset: 'Law',
  means: 'Counts By',
  firstDay: 'First Day',
  lastDay: 'Last Day',
  derivation: 'Derivation',
  postedOn: 'Posted On',
  mailNumber: 'Mail Number',
  delivery: 'Delivery',
  postedAt: 'Recorded',
  warnedDays: 'Warned Days Before',
  warnedLastDay: 'Warned of Last Day',
  warnedAt: 'Warned',
  ownerEmailedOn: 'Warned by Email On',
}

/** For what rules are chosen; without a rule, that none applies. */
const NOTICE_CHOICES = {
  id: 'ID',
  contractId: 'Contract ID',
  customerId: 'Customer ID',
  tagKey: 'Tag',
  ruleId: 'Rule ID',
}
