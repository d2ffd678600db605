import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day, DaySpan } from '#shared/domain/day.ts'
import { noticeWindowOf } from '#shared/domain/notice-window.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { CHOSEN_RULE_ID, choicesJoined, RuleRow, ruleOf } from '#server/notice-rules/chosen-rule.ts'
import { IS_GIVEN } from '#server/notice-rules/notice-emails.ts'
import { chosenRules, mayHaveWindow, NOTICED_TABLES } from '#server/notice-rules/noticed-contracts.ts'
import { IS_OF_TERM } from '#server/reminders/plan-notices.ts'

// The database groups contracts by all that their windows depend on, and the domain decides once for each group.

const TERM = columnsOf(ContractEntity, 'k', ['renewalDate', 'renewalCycle', 'nextCycle', 'noticePeriod'])

const GroupRow = z.object({ ...TERM.fields, ruleId: z.int().nullable(), count: z.int(), cents: z.coerce.bigint() })

/** Contracts that have the same window by the same rule, how many, and what their next terms cost together. */
interface DueGroup extends z.output<typeof GroupRow> {
  /** The last day of the window. */
  through: Day
}

/** The notices of an account that are due. */
export interface DueNotices {
  /** `from … where …` of contracts `k` that may be due; the groups say which of them are. */
  from: Sql
  /** The first to close first. */
  groups: DueGroup[]
}

/** The notices whose windows have one of these days, the first of which is today, and that were not given yet. */
export async function findDue(
  { read, accountId, today }: Pick<ReaderContext, 'read' | 'accountId' | 'today'>,
  span: DaySpan,
  { letters = false }: { letters?: boolean | undefined } = {},
): Promise<DueNotices> {
  const rows = await read(chosenRules(accountId), RuleRow)
  const rules = new Map(rows.map((row) => [row.id, ruleOf(row)]))
  if (rules.size === 0) return { from: empty, groups: [] }
  const from = sql`
    from ${NOTICED_TABLES} ${choicesJoined(accountId)}
    where k.account_id = ${accountId} and ${mayHaveWindow([...rules.values()], span)} and not exists (
      select from notices n where ${IS_OF_TERM} and n.account_id = ${accountId} and n.last_day >= ${today} and ${IS_GIVEN})`
  const groups = sql`
    select "ruleId", "renewalDate", "renewalCycle", "nextCycle", "noticePeriod", count(*)::int as count, sum(cost)::text as cents
    from (
      select ${TERM}, ${CHOSEN_RULE_ID} as "ruleId", coalesce(k.next_amount_cents, k.amount_cents) as cost
      ${from}) f
    group by "ruleId", "renewalDate", "renewalCycle", "nextCycle", "noticePeriod"`
  const due = (await read(groups, GroupRow, 'each time')).flatMap((group) => {
    const rule = rules.get(group.ruleId ?? 0)
    if (!rule || (letters && !rule.means.includes('letter'))) return []
    const { days } = noticeWindowOf(rule, { ...group, status: 'active', renews: 'automatic', endsOn: null })
    return days && days.through >= span.from && days.from <= span.through ? [{ ...group, through: days.through }] : []
  })
  return {
    from,
    groups: due.toSorted((one, other) => Number(one.through > other.through) - Number(one.through < other.through)),
  }
}

/** A notice that is due, by what orders it in the list. */
export interface Position {
  through: Day
  contractId: number
}

/** Which of them are read: so many after a position, or, backwards, before it, after some that are skipped. */
export interface Slice {
  backwards: boolean
  position: Position | undefined
  skip: number
  count: number
}

/** Reads the Positions of a slice, backwards from the last to the first. */
export function positionsOf({ from, groups }: DueNotices, { backwards, position, skip, count }: Slice): Sql {
  const order = raw(backwards ? 'desc' : 'asc')
  const beyond = raw(backwards ? '<' : '>')
  const first = backwards ? groups.toReversed() : groups
  const near = nearest(position ? first.filter(({ through }) => isFrom(through, position.through, backwards)) : first, {
    count: skip + count,
    position,
  })
  const terms = near.map(({ ruleId, renewalDate, renewalCycle, nextCycle, noticePeriod, through }) => {
    return { ruleId, renewalDate, renewalCycle, nextCycle, noticePeriod, through }
  })
  return sql`
    select f.id as "contractId", g.through from (select k.id, ${TERM}, ${CHOSEN_RULE_ID} as "ruleId" ${from}) f
      join json_to_recordset(${JSON.stringify(terms)}::json) as g("ruleId" int, "renewalDate" date, "renewalCycle" text,
        "nextCycle" text, "noticePeriod" text, through date)
      on f."ruleId" = g."ruleId" and f."renewalDate" = g."renewalDate" and f."renewalCycle" = g."renewalCycle"
        and f."nextCycle" is not distinct from g."nextCycle" and f."noticePeriod" is not distinct from g."noticePeriod"
    ${position ? sql`where (g.through, f.id) ${beyond} (${position.through}::date, ${position.contractId}::int)` : empty}
    order by g.through ${order}, f.id ${order} limit ${count} offset ${skip}`
}

function isFrom(day: Day, first: Day, backwards: boolean): boolean {
  return backwards ? day <= first : day >= first
}

/** As many groups as surely have so many contracts: of those that close on the position's day, it is not known how many come after it. */
function nearest(
  groups: readonly DueGroup[],
  { count, position }: { count: number; position: Position | undefined },
): DueGroup[] {
  let known = 0
  let last: Day | undefined
  return groups.filter(({ through, count: size }) => {
    if (known >= count && through !== last) return false
    last = through
    if (through !== position?.through) known += size
    return true
  })
}
