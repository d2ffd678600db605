import sql from 'sql-template-tag'
import { z } from 'zod'
import { NO_LEGAL_ADVICE, NOTICE_PRESETS, PRESETS, type NoticePreset } from '#shared/domain/notice-presets.ts'
import { ruleText } from '#shared/domain/notice-window.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import {
  MOST_NOTICE_RULES,
  type AdoptNoticeRule,
  type ChangeNoticeRule,
  type MakeNoticeRule,
} from '#shared/schemas/notice-rules.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { rowOf } from '#server/db/insert.ts'
import { replan } from '#server/ledger/schedule.ts'
import { RULE_COLUMNS, RuleRow } from './chosen-rule.ts'
import { NoticeRuleEntity } from './notice-rule.entity.ts'
import { noticeRuleView, type NoticeRuleView } from './notice-rule.view.ts'

/** A law from which a rule can be taken over. */
export interface NoticePresetView extends Omit<NoticePreset, 'rule'> {
  preset: (typeof NOTICE_PRESETS)[number]
  days: string
}

const TagChoice = z.object({ tag: z.string(), rule: z.int().nullable() })
const ChoicesRow = z.object({
  account: z.int().nullable(),
  tags: z.array(TagChoice),
  customers: z.int(),
  contracts: z.int(),
})

export interface NoticeRulesView {
  rules: NoticeRuleView[]
  /** What is chosen: the rule for all contracts, those for tags (null: none), and how many have a choice of their own. */
  chosen: z.output<typeof ChoicesRow>
  presets: NoticePresetView[]
  /** What stands beside the presets. */
  advice: string
}

/** The account's rules about notices, for what they are chosen, and the laws from which rules can be taken over. */
export async function listNoticeRules({ read, accountId }: ReaderContext): Promise<NoticeRulesView> {
  const statement = sql`
    select (select coalesce(json_agg(row_to_json(o) order by o.id), '[]') from (
        select ${RULE_COLUMNS} from notice_rules u where u.account_id = ${accountId}) o) as rules,
      (select rule_id from notice_choices where account_id = ${accountId}
        and contract_id is null and customer_id is null and tag_key is null) as account,
      (select coalesce(json_agg(json_build_object('tag', t.name, 'rule', o.rule_id) order by t.key), '[]')
        from notice_choices o join tags t on t.account_id = o.account_id and t.key = o.tag_key
        where o.account_id = ${accountId}) as tags,
      (select count(*)::int from notice_choices where account_id = ${accountId} and customer_id is not null) as customers,
      (select count(*)::int from notice_choices where account_id = ${accountId} and contract_id is not null) as contracts`
  const [found] = await read(statement, ChoicesRow.extend({ rules: z.array(RuleRow) }))
  const { rules, ...chosen } = found ?? { rules: [], account: null, tags: [], customers: 0, contracts: 0 }
  return {
    rules: rules.map(noticeRuleView),
    chosen,
    presets: PRESET_VIEWS,
    advice: NO_LEGAL_ADVICE,
  }
}

/** The same for every account. */
const PRESET_VIEWS = NOTICE_PRESETS.map((preset) => {
  const { rule, ...law } = PRESETS[preset]
  return { preset, ...law, days: ruleText(rule) }
})

/** Adds a rule of the account's own. It applies to nothing until it is chosen. @throws NOTICE_RULES_FULL */
export function makeNoticeRule(ctx: SubscriberContext, rule: MakeNoticeRule): Promise<NoticeRuleView> {
  return addRule(ctx, { ...columnsFor(rule), preset: null })
}

/**
 * Takes over the rule of a law as it was read. It applies to nothing until it is chosen.
 * @throws NOTICE_RULES_FULL, NOTICE_EMAIL_DOES_NOT_COUNT
 */
export function adoptNoticeRule(
  ctx: SubscriberContext,
  { preset, emailAgreed }: AdoptNoticeRule,
): Promise<NoticeRuleView> {
  const { name, emailMayBeAgreed, rule } = PRESETS[preset]
  if (emailAgreed && !emailMayBeAgreed) throw new AppError('NOTICE_EMAIL_DOES_NOT_COUNT')
  const means = emailAgreed ? (['email', ...rule.means] as const) : rule.means
  return addRule(ctx, { ...columnsFor({ ...rule, means, name }), preset })
}

type RuleColumns = Omit<RuleRow, 'id'>

type Written = Omit<MakeNoticeRule, 'means' | 'contents'> & {
  means: readonly RuleRow['means'][number][]
  contents: readonly RuleRow['contents'][number][]
}

function columnsFor({ from, until, means, contents, ...rule }: Written): Omit<RuleColumns, 'preset'> {
  return { ...rule, fromCount: from, untilCount: until, means: [...means], contents: [...contents] }
}

async function addRule({ write, accountId, services }: SubscriberContext, rule: RuleColumns): Promise<NoticeRuleView> {
  // Of two that are added at once, the second counts the first.
  await write(sql`select pg_advisory_xact_lock(hashtextextended('notice rules', ${accountId}))`)
  const [counted] = await write(
    sql`select count(*)::int as rules from notice_rules where account_id = ${accountId}`,
    z.object({ rules: z.int() }),
  )
  if ((counted?.rules ?? 0) >= MOST_NOTICE_RULES)
    throw new AppError('NOTICE_RULES_FULL', { values: { most: String(MOST_NOTICE_RULES) } })
  const row = rowOf(NoticeRuleEntity, { accountId, ...rule, createdAt: services.now() })
  const [added] = await write(sql`insert into notice_rules as u ${row} returning ${RULE_COLUMNS}`, RuleRow)
  if (!added) throw new Error('A rule that was added is returned')
  return noticeRuleView(added)
}

/** Changes a rule of the account's own, wherever it is chosen. @throws NOTICE_RULE_NOT_FOUND, NOTICE_RULE_OF_LAW */
export async function changeNoticeRule(
  { write, accountId, services }: SubscriberContext,
  { id, name, unit, from, until, countedFrom, means, contents, exceptMonthly }: ChangeNoticeRule,
): Promise<NoticeRuleView> {
  await replan(write, { accountId, now: services.now() })
  const statement = sql`
    update notice_rules u set name = ${name}, unit = ${unit}, from_count = ${from}, until_count = ${until},
      counted_from = ${countedFrom}, means = ${means}, contents = ${contents}, except_monthly = ${exceptMonthly}
    where u.account_id = ${accountId} and u.id = ${id} and u.preset is null returning ${RULE_COLUMNS}`
  const [changed] = await write(statement, RuleRow)
  if (changed) return noticeRuleView(changed)
  const [law] = await write(sql`select from notice_rules where account_id = ${accountId} and id = ${id}`)
  throw new AppError(law ? 'NOTICE_RULE_OF_LAW' : 'NOTICE_RULE_NOT_FOUND')
}

/** Removes a rule, also from where it is chosen: what is chosen less specifically applies there. @throws NOTICE_RULE_NOT_FOUND */
export async function removeNoticeRule({ write, accountId, services }: SubscriberContext, { id }: ById): Promise<void> {
  await replan(write, { accountId, now: services.now() })
  const [removed] = await write(sql`
    delete from notice_rules where account_id = ${accountId} and id = ${id} returning id`)
  if (!removed) throw new AppError('NOTICE_RULE_NOT_FOUND')
}
