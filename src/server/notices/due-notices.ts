import sql from 'sql-template-tag'
import { z } from 'zod'
import { addDays, isDay, type Day, type DaySpan } from '#shared/domain/day.ts'
import { warningReached } from '#shared/domain/notice-warning.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import type { Page } from '#shared/schemas/filters.ts'
import { NOTICE_DAYS } from '#shared/schemas/notice-lists.ts'
import type { ReaderContext } from '#server/context.ts'
import { decodeCursor, encodeCursor } from '#server/db/keyset.ts'
import { RuleRow, ruleOf } from '#server/notice-rules/chosen-rule.ts'
import { IS_GIVEN } from '#server/notice-rules/notice-emails.ts'
import {
  candidatesOf,
  chosenRules,
  NoticeCandidate,
  windowIds,
  WindowIds,
  windowsOf,
  withWindows,
  type WithWindow,
} from '#server/notice-rules/noticed-contracts.ts'
import { noticesAtRisk } from '#server/reminders/unsent-notices.ts'
import { comingView, type NoticesView } from './notice.view.ts'

/** A notice that is due, as far as its place in the list says. */
interface Due {
  through: Day
  contractId: number
}

interface DuePage extends Page {
  /** Only those of which a letter counts. */
  letters?: boolean | undefined
}

/**
 * A page of the notices that are due in the next 90 days, the first to close first. Whether one is, the domain decides, so
 * that each page looks at all of them. @throws TOO_MANY_AT_ONCE
 */
export function dueNotices(ctx: ReaderContext, page: DuePage): Promise<NoticesView> {
  return ctx.limits.during('lists', ctx.accountId, () => pageOfNotices(ctx, page))
}

async function pageOfNotices(ctx: ReaderContext, { letters, ...page }: DuePage): Promise<NoticesView> {
  const { read, accountId, today } = ctx
  const span = { from: today, through: addDays(today, NOTICE_DAYS) }
  const { due, cents } = await findDue(ctx, span, letters)
  const { shown, more } = pageOfDue(due, page)
  const ids = shown.map(({ contractId }) => contractId)
  const found = ids.length > 0 ? await read(candidatesOf(accountId, ids), NoticeCandidate) : []
  const windows = withWindows(found, span).toSorted((one, other) => compared(placeOf(one), placeOf(other)))
  const closing = windows.filter(({ days: { through } }) => warningReached(through, today) !== undefined)
  const reasons = await noticesAtRisk(
    ctx,
    closing.map(({ contract }) => contract.contractId),
  )
  return {
    rows: windows.map((one) => comingView(one, { today, reason: reasons.get(one.contract.contractId) })),
    total: due.length,
    amount: amountFromSum(cents),
    first: cursorOf(shown[0]),
    last: cursorOf(shown.at(-1)),
    more,
  }
}

const PostedRow = z.object({ contractId: z.int() })

/** All of them in their order, and what their next terms cost together. */
async function findDue(
  { read, accountId, today }: ReaderContext,
  span: DaySpan,
  letters = false,
): Promise<{ due: Due[]; cents: bigint }> {
  const rules = (await read(chosenRules(accountId), RuleRow)).map(ruleOf)
  if (rules.length === 0) return { due: [], cents: 0n }
  const given = sql`
    select n.contract_id as "contractId" from notices n
      join contracts k on k.account_id = n.account_id and k.id = n.contract_id
        and k.term_number = n.term_number and k.renewal_date = n.renewal_date
    where n.account_id = ${accountId} and n.last_day >= ${today} and ${IS_GIVEN}`
  const [[found], done] = await Promise.all([
    read(windowIds(accountId, rules, span), WindowIds),
    read(given, PostedRow),
  ])
  const givenIds = new Set(done.map(({ contractId }) => contractId))
  const ids = (found?.ids ?? []).filter((id) => !givenIds.has(id))
  const due: Due[] = []
  let cents = 0n
  for await (const windows of windowsOf({ read, accountId }, ids, span)) {
    for (const one of windows) {
      if (letters && !one.rule.means.includes('letter')) continue
      due.push(placeOf(one))
      cents += BigInt(one.contract.nextAmountCents ?? one.contract.amountCents)
    }
  }
  return { due: due.toSorted(compared), cents }
}

function placeOf({ days: { through }, contract: { contractId } }: WithWindow): Due {
  return { through, contractId }
}

function compared(one: Due, other: Due): number {
  if (one.through !== other.through) return one.through < other.through ? -1 : 1
  return one.contractId - other.contractId
}

function pageOfDue(due: readonly Due[], { limit, after, before, skip }: Page): { shown: Due[]; more: boolean } {
  if (after === undefined && before !== undefined) {
    const place = placeAt(before)
    const end = Math.max(0, due.findLastIndex((one) => compared(one, place) < 0) + 1 - skip)
    const begin = Math.max(0, end - limit)
    return { shown: due.slice(begin, end), more: begin > 0 }
  }
  const place = after === undefined ? undefined : placeAt(after)
  const begin = skip + (place ? due.findLastIndex((one) => compared(one, place) <= 0) + 1 : 0)
  return { shown: due.slice(begin, begin + limit), more: due.length > begin + limit }
}

const Position = z.tuple([z.literal('notices.due'), z.custom<Day>((value) => isDay(String(value))), z.int()])

function placeAt(cursor: string): Due {
  const [, through, contractId] = decodeCursor(cursor, Position)
  return { through, contractId }
}

function cursorOf(due: Due | undefined): string | null {
  return due ? encodeCursor(JSON.stringify(['notices.due', due.through, due.contractId])) : null
}
