import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day, DaySpan } from '#shared/domain/day.ts'
import { isNotComputed, noticeWindowOf, type NoticeRule, type NoticeWindow } from '#shared/domain/notice-window.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { CHOSEN_RULE_ID, choicesJoined, RuleRow, ruleOf } from '#server/notice-rules/chosen-rule.ts'
import { IS_GIVEN } from '#server/notice-rules/notice-emails.ts'
import { chosenRules, mayHaveWindow, mayLackWindow, NOTICED_TABLES } from '#server/notice-rules/noticed-contracts.ts'
import { IS_OF_TERM } from '#server/reminders/plan-notices.ts'

// The database groups contracts by all that their windows depend on, and the domain decides once for each group.

const TERM = columnsOf(ContractEntity, 'k', ['renewalDate', 'renewalCycle', 'nextCycle', 'noticePeriod'])

const GroupRow = z.object({ ...TERM.fields, ruleId: z.int().nullable(), count: z.int(), cents: z.coerce.bigint() })

/** Contracts that have the same window by the same rule, or lack one, how many, and what their next terms cost together. */
interface Group extends z.output<typeof GroupRow> {
  /** What orders them: the last day of the window, or of those without one the renewal date. */
  day: Day
}

/** Contracts to which a rule applies, of an account. */
export interface FoundContracts {
  /** `from … where …` of contracts `k` that may be among them; the groups say which are. */
  from: Sql
  /** In their order. */
  groups: Group[]
}

type Reading = Pick<ReaderContext, 'read' | 'accountId' | 'today'>

/** The contracts whose windows have one of these days, the first of which is today, and of which notice was not given yet. */
export function findDue(
  { read, accountId, today }: Reading,
  span: DaySpan,
  { letters = false }: { letters?: boolean | undefined } = {},
): Promise<FoundContracts> {
  return find(
    { read, accountId },
    {
      among: (rules) => sql`${mayHaveWindow(rules, span)} and not exists (
      select from notices n where ${IS_OF_TERM} and n.account_id = ${accountId} and n.last_day >= ${today} and ${IS_GIVEN})`,
      dayOf: (rule, { days }) => {
        if (letters && !rule.means.includes('letter')) return null
        return days && days.through >= span.from && days.from <= span.through ? days.through : null
      },
    },
  )
}

/** The contracts of which notice may be due, and whose windows cannot be computed. */
export function findNotComputed({ read, accountId }: Reading): Promise<FoundContracts> {
  return find(
    { read, accountId },
    {
      among: mayLackWindow,
      dayOf: (_rule, window, { renewalDate }) => (!window.days && isNotComputed(window.why) ? renewalDate : null),
    },
  )
}

interface Wanted {
  /** A condition on contracts `k` to which one of the rules, at least one, applies. */
  among: (rules: readonly NoticeRule[]) => Sql
  /** What orders those of a group; null if they are not wanted. */
  dayOf: (rule: NoticeRule, window: NoticeWindow, group: z.output<typeof GroupRow>) => Day | null
}

async function find({ read, accountId }: Omit<Reading, 'today'>, { among, dayOf }: Wanted): Promise<FoundContracts> {
  const rows = await read(chosenRules(accountId), RuleRow)
  const rules = new Map(rows.map((row) => [row.id, ruleOf(row)]))
  if (rules.size === 0) return { from: empty, groups: [] }
  const from = sql`
    from ${NOTICED_TABLES} ${choicesJoined(accountId)} where k.account_id = ${accountId} and ${among([...rules.values()])}`
  const groups = sql`
    select "ruleId", "renewalDate", "renewalCycle", "nextCycle", "noticePeriod", count(*)::int as count, sum(cost)::text as cents
    from (
      select ${TERM}, ${CHOSEN_RULE_ID} as "ruleId", coalesce(k.next_amount_cents, k.amount_cents) as cost
      ${from}) f
    group by "ruleId", "renewalDate", "renewalCycle", "nextCycle", "noticePeriod"`
  const found = (await read(groups, GroupRow, 'each time')).flatMap((group) => {
    const rule = rules.get(group.ruleId ?? 0)
    if (!rule) return []
    const window = noticeWindowOf(rule, { ...group, status: 'active', renews: 'automatic', endsOn: null })
    const day = dayOf(rule, window, group)
    return day === null ? [] : [{ ...group, day }]
  })
  return { from, groups: found.toSorted((one, other) => Number(one.day > other.day) - Number(one.day < other.day)) }
}

/** A contract by what orders it in the list. */
export interface Position {
  day: Day
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
export function positionsOf({ from, groups }: FoundContracts, { backwards, position, skip, count }: Slice): Sql {
  const order = raw(backwards ? 'desc' : 'asc')
  const beyond = raw(backwards ? '<' : '>')
  const first = backwards ? groups.toReversed() : groups
  const near = nearest(position ? first.filter(({ day }) => isFrom(day, position.day, backwards)) : first, {
    count: skip + count,
    position,
  })
  const terms = near.map(({ ruleId, renewalDate, renewalCycle, nextCycle, noticePeriod, day }) => {
    return { ruleId, renewalDate, renewalCycle, nextCycle, noticePeriod, day }
  })
  return sql`
    select f.id as "contractId", g.day from (select k.id, ${TERM}, ${CHOSEN_RULE_ID} as "ruleId" ${from}) f
      join json_to_recordset(${JSON.stringify(terms)}::json) as g("ruleId" int, "renewalDate" date, "renewalCycle" text,
        "nextCycle" text, "noticePeriod" text, day date)
      on f."ruleId" = g."ruleId" and f."renewalDate" = g."renewalDate" and f."renewalCycle" = g."renewalCycle"
        and f."nextCycle" is not distinct from g."nextCycle" and f."noticePeriod" is not distinct from g."noticePeriod"
    ${position ? sql`where (g.day, f.id) ${beyond} (${position.day}::date, ${position.contractId}::int)` : empty}
    order by g.day ${order}, f.id ${order} limit ${count} offset ${skip}`
}

function isFrom(day: Day, first: Day, backwards: boolean): boolean {
  return backwards ? day <= first : day >= first
}

/** As many groups as surely have so many contracts: of those of the position's day, it is not known how many come after it. */
function nearest(
  groups: readonly Group[],
  { count, position }: { count: number; position: Position | undefined },
): Group[] {
  let known = 0
  let last: Day | undefined
  return groups.filter(({ day, count: size }) => {
    if (known >= count && day !== last) return false
    last = day
    if (day !== position?.day) known += size
    return true
  })
}
