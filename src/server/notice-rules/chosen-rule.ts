import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { DaySpan } from '#shared/domain/day.ts'
import { noticeWindowOf, type NoticeRule, type NoticeWindow } from '#shared/domain/notice-window.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { NoticeRuleEntity } from './notice-rule.entity.ts'

// Which rule applies to a contract: the most specific choice, of the contract, its customer, a tag of either, or the account.

const RULE = columnsOf(NoticeRuleEntity, 'u', [
  'id',
  'name',
  'preset',
  'unit',
  'fromCount',
  'untilCount',
  'countedFrom',
  'means',
  'contents',
  'exceptMonthly',
])

/** A rule as it is stored. */
export const RuleRow = z.object(RULE.fields)
export type RuleRow = z.output<typeof RuleRow>
export const RULE_COLUMNS = RULE

const CHOSEN_FOR = ['contract', 'customer', 'tag', 'account'] as const

/** The rule that applies to a contract, null if it was chosen that none does, and why it applies. */
export const ChosenRule = z.object({ rule: RuleRow.nullable(), by: z.enum(CHOSEN_FOR), tag: z.string().nullable() })
export type ChosenRule = z.output<typeof ChosenRule>

/**
 * A subquery: the ChosenRule of contract `k` of customer `c` as JSON; null if nothing was chosen. Of several tags the rule
 * made first counts, and any rule before the choice of none.
 */
export const CHOSEN_RULE = sql`(
  select json_build_object('rule', (select row_to_json(v) from (
      select ${RULE} from notice_rules u where u.account_id = k.account_id and u.id = h.rule_id) v), 'by', h.by, 'tag', h.tag)
  from (
    select o.rule_id, 'contract' as by, null as tag, 1 as rank from notice_choices o
      where o.account_id = k.account_id and o.contract_id = k.id
    union all select o.rule_id, 'customer', null, 2 from notice_choices o
      where o.account_id = k.account_id and o.customer_id = k.customer_id
    union all select o.rule_id, 'tag', t.name, 3 from notice_choices o
      join tags t on t.account_id = o.account_id and t.key = o.tag_key
      where o.account_id = k.account_id and o.tag_key is not null and (t.name = any(k.tags) or t.name = any(c.tags))
    union all select o.rule_id, 'account', null, 4 from notice_choices o
      where o.account_id = k.account_id and o.contract_id is null and o.customer_id is null and o.tag_key is null) h
  order by h.rank, h.rule_id nulls last limit 1)`

/**
 * Joins to contracts `k` and customers `c` of an account the choices of each, for very many contracts at once; the rule
 * that counts is then `CHOSEN_RULE_ID`. Most have no tags, and are asked for them before choices are looked up.
 */
export function choicesJoined(accountId: number): Sql {
  return sql`
    left join notice_choices ok on ok.account_id = ${accountId} and ok.contract_id = k.id
    left join notice_choices oc on oc.account_id = ${accountId} and oc.customer_id = k.customer_id
    left join lateral (
      select o.rule_id, o.account_id from notice_choices o join tags t on t.account_id = o.account_id and t.key = o.tag_key
      where o.account_id = ${accountId} and o.tag_key is not null and (t.name = any(k.tags) or t.name = any(c.tags))
        and (k.tags <> '{}' or c.tags <> '{}')
      order by o.rule_id nulls last limit 1) ot on true
    left join notice_choices oa on oa.account_id = ${accountId} and oa.contract_id is null and oa.customer_id is null
      and oa.tag_key is null`
}

/** The ID of the rule of CHOSEN_RULE, from joined choices; null if none applies. */
export const CHOSEN_RULE_ID = sql`
  case when ok.account_id is not null then ok.rule_id when oc.account_id is not null then oc.rule_id
    when ot.account_id is not null then ot.rule_id else oa.rule_id end`

const TERM = columnsOf(ContractEntity, 'k', [
  'status',
  'renews',
  'renewalDate',
  'renewalCycle',
  'nextCycle',
  'noticePeriod',
  'endsOn',
])

/** A contract with the rule that applies to it. */
export const NoticedContract = z.object({ ...TERM.fields, chosen: ChosenRule.nullable() })
export type NoticedContract = z.output<typeof NoticedContract>

/** The columns of a NoticedContract, from contracts `k` and their customers `c`. */
export function noticedColumns(): Sql {
  return sql`${TERM}, ${CHOSEN_RULE} as chosen`
}

/** A stored rule as the domain has it. */
export function ruleOf({ fromCount: from, untilCount: until, ...rule }: RuleRow): NoticeRule {
  return { ...rule, from, until }
}

/** The days of its window on which a notice by email counts; null if there are none. */
export function emailDaysOf(contract: NoticedContract): DaySpan | null {
  const counts = contract.chosen?.rule?.means.includes('email') === true
  return (counts && windowOfContract(contract)?.days) || null
}

/** The notice window of a contract's current term; undefined if no rule applies to it. */
export function windowOfContract({ chosen, ...term }: NoticedContract): NoticeWindow | undefined {
  return chosen?.rule ? noticeWindowOf(ruleOf(chosen.rule), term) : undefined
}

/** A rule and the window that it gives a contract. */
export interface WindowByRule {
  rule: RuleRow
  days: DaySpan
  derivation: string
}

/** The notice window of a contract's current term with its rule; undefined if there is none. */
export function windowByRule(contract: NoticedContract): WindowByRule | undefined {
  const window = windowOfContract(contract)
  const rule = contract.chosen?.rule
  return rule && window?.days ? { rule, days: window.days, derivation: window.derivation } : undefined
}
