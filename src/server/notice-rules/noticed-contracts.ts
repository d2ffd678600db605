import sql, { empty, join, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { DaySpan } from '#shared/domain/day.ts'
import { anchorsOfWindows, FIRST_IN_CALENDAR, type NoticeRule } from '#shared/domain/notice-window.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { columnsOf } from '#server/db/columns.ts'
import { NoticedContract, noticedColumns, RULE_COLUMNS, windowByRule, type WindowByRule } from './chosen-rule.ts'

// Finds contracts by the days from which windows are counted. Whether a window has one of the days, the domain decides.

const FACTS = columnsOf(ContractEntity, 'k', ['customerId', 'termNumber', 'amountCents', 'nextAmountCents', 'title'])

/** A contract with what a notice about it says. */
export const NoticeCandidate = NoticedContract.extend({
  ...FACTS.fields,
  contractId: z.int(),
  customerName: z.string(),
})
export type NoticeCandidate = z.output<typeof NoticeCandidate>

/** The columns of a NoticeCandidate, from contracts `k` and their customers `c`. */
export function candidateColumns(): Sql {
  return sql`${noticedColumns()}, ${FACTS}, k.id as "contractId", c.name as "customerName"`
}

export const NOTICED_TABLES = sql`contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id`

/** Reads the rules of an account that are chosen for anything. */
export function chosenRules(accountId: number): Sql {
  return sql`
    select ${RULE_COLUMNS} from notice_rules u where u.account_id = ${accountId}
      and exists (select from notice_choices o where o.account_id = u.account_id and o.rule_id = u.id)`
}

/** Contracts per statement: an account may have any number with open windows. */
export const WINDOWS_AT_ONCE = 1000

/** The IDs of an account's contracts whose windows may have certain days, in order. */
export const WindowIds = z.object({ ids: z.array(z.int()) })

/** Reads the WindowIds of those whose windows, by one of these rules, may have one of these days. */
export function windowIds(accountId: number, rules: readonly NoticeRule[], days: DaySpan): Sql {
  const found = rules.map(
    (rule) => sql`
      select k.id from contracts k where k.account_id = ${accountId} and ${CAN_HAVE_WINDOW} and ${anchored(rule, days)}`,
  )
  // Each condition has an index of its own.
  return sql`select coalesce(json_agg(f.id order by f.id), '[]') as ids from (${join(found, ' union ')}) f`
}

/** A condition on contracts `k`: their windows, by one of these rules, of which there is at least one, may have one of these days. */
export function mayHaveWindow(rules: readonly NoticeRule[], days: DaySpan): Sql {
  const conditions = rules.map((rule) => anchored(rule, days))
  return sql`${CAN_HAVE_WINDOW} and (${join(conditions, ' or ')})`
}

/** A condition on contracts `k`: a window can be due, and by one of these rules, perhaps none can be computed. */
export function mayLackWindow(rules: readonly NoticeRule[]): Sql {
  const lacksLastDay = rules.some(({ countedFrom }) => countedFrom === 'last_day_for_notice')
  return sql`${CAN_HAVE_WINDOW} and (k.renewal_date < ${FIRST_IN_CALENDAR}${lacksLastDay ? sql` or k.notice_date is null` : empty})`
}

const CAN_HAVE_WINDOW = sql`${IS_OPEN} and k.renews = 'automatic' and k.ends_on is null`

function anchored(rule: NoticeRule, days: DaySpan): Sql {
  const { from, through } = anchorsOfWindows(rule, days)
  return rule.countedFrom === 'renewal_date'
    ? sql`k.renewal_date between ${from} and ${through}`
    : sql`k.notice_date between ${from} and ${through}`
}

/** Reads those of the contracts that are there, as candidates; by contract. */
export function candidatesOf(accountId: number, contractIds: readonly number[]): Sql {
  return sql`
    select ${candidateColumns()} from ${NOTICED_TABLES}
    where k.account_id = ${accountId} and k.id = any(${[...contractIds]}::int[]) order by k.id`
}

/** A contract whose window has one of the days. */
export interface WithWindow extends WindowByRule {
  contract: NoticeCandidate
}

/** Those of the contracts whose windows have one of these days. */
export function withWindows(contracts: readonly NoticeCandidate[], span: DaySpan): WithWindow[] {
  return contracts.flatMap((contract) => {
    const window = windowByRule(contract)
    if (!window || window.days.through < span.from || window.days.from > span.through) return []
    return [{ contract, ...window }]
  })
}
