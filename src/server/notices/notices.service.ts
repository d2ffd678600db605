import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, type Day } from '#shared/domain/day.ts'
import { warningReached } from '#shared/domain/notice-warning.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import type { ListNotices } from '#shared/schemas/notices.ts'
import type { ReaderContext } from '#server/context.ts'
import { IS_GIVEN } from '#server/notice-rules/notice-emails.ts'
import { RuleRow, ruleOf } from '#server/notice-rules/chosen-rule.ts'
import {
  chosenRules,
  contractsWithWindows,
  NoticeCandidate,
  withWindows,
  type WithWindow,
} from '#server/notice-rules/noticed-contracts.ts'
import { noticesAtRisk } from '#server/reminders/unsent-notices.ts'
import { comingView, FIRST_EMAIL, NOTICE, NoticeRow, recordedView, type NoticeView } from './notice.view.ts'

/** How far ahead windows are listed. */
export const NOTICE_DAYS = 90
/** Rows in an answer; the count and the sum are of all. */
const MOST = 200

export interface NoticesView {
  /** Due: the first to close first. Given and missed: the latest first. */
  rows: NoticeView[]
  total: number
  /** The sum of what the next terms of all of them cost, in dollars. */
  amount: number
}

/** Notices that are due in the next 90 days, those that were given, or windows that closed without notice. */
export function listNotices(ctx: ReaderContext, { show }: ListNotices): Promise<NoticesView> {
  if (show === 'due') return dueNotices(ctx)
  return recordedNotices(ctx, show === 'given' ? IS_GIVEN : isMissed(ctx.today))
}

const PostedRow = z.object({ contractId: z.int() })

async function dueNotices(ctx: ReaderContext): Promise<NoticesView> {
  const { read, accountId, today } = ctx
  const rules = (await read(chosenRules(accountId), RuleRow)).map(ruleOf)
  if (rules.length === 0) return { rows: [], total: 0, amount: 0 }
  const span = { from: today, through: addDays(today, NOTICE_DAYS) }
  const given = sql`
    select n.contract_id as "contractId" from notices n
      join contracts k on k.account_id = n.account_id and k.id = n.contract_id
        and k.term_number = n.term_number and k.renewal_date = n.renewal_date
    where n.account_id = ${accountId} and n.last_day >= ${today} and ${IS_GIVEN}`
  const [found, done] = await Promise.all([
    read(contractsWithWindows(accountId, rules, span), NoticeCandidate),
    read(given, PostedRow),
  ])
  const givenIds = new Set(done.map(({ contractId }) => contractId))
  const due = withWindows(found, span).filter(({ contract }) => !givenIds.has(contract.contractId))
  const cents = due.reduce((sum, { contract }) => sum + BigInt(contract.nextAmountCents ?? contract.amountCents), 0n)
  const sorted = due.toSorted((one, other) => (one.days.through < other.days.through ? -1 : 1))
  const listed = sorted.slice(0, MOST)
  const reasons = await noticesAtRisk(ctx, idsClosingSoon(listed, today))
  const rows = listed.map((one) => comingView(one, { today, reason: reasons.get(one.contract.contractId) }))
  return { rows, total: due.length, amount: amountFromSum(cents) }
}

function idsClosingSoon(windows: readonly WithWindow[], today: Day): number[] {
  const closing = windows.filter(({ days: { through } }) => warningReached(through, today) !== undefined)
  return closing.map(({ contract }) => contract.contractId)
}

const TotalRow = z.object({ total: z.int(), cents: z.coerce.bigint() })

async function recordedNotices({ read, accountId }: ReaderContext, condition: Sql): Promise<NoticesView> {
  const recorded = sql`from notices n where n.account_id = ${accountId} and ${condition}`
  const [rows, [sum]] = await Promise.all([
    read(
      sql`
        select ${NOTICE}, ${FIRST_EMAIL} as email,
        (select k.id from contracts k where k.account_id = n.account_id and k.id = n.contract_id) as "contractId"
        ${recorded} order by n.last_day desc, n.id desc limit ${MOST}`,
      NoticeRow,
    ),
    read(sql`select count(*)::int as total, coalesce(sum(n.amount_cents), 0)::text as cents ${recorded}`, TotalRow),
  ])
  return { rows: rows.map(recordedView), total: sum?.total ?? 0, amount: amountFromSum(sum?.cents ?? 0n) }
}

/** The window closed without notice. A contract in the trash has none that anybody missed. */
function isMissed(today: Day): Sql {
  return sql`n.last_day < ${today} and not (${IS_GIVEN}) and (n.contract_id is null or exists (
    select from contracts k where k.account_id = n.account_id and k.id = n.contract_id))`
}
