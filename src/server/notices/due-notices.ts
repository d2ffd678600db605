import { z } from 'zod'
import { addDays, isDay, type Day } from '#shared/domain/day.ts'
import { warningReached } from '#shared/domain/notice-warning.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import type { Page } from '#shared/schemas/filters.ts'
import { NOTICE_DAYS } from '#shared/schemas/notice-lists.ts'
import type { ReaderContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'
import { decodeCursor, encodeCursor } from '#server/db/keyset.ts'
import { candidatesOf, NoticeCandidate, withWindows, type WithWindow } from '#server/notice-rules/noticed-contracts.ts'
import { noticesAtRisk } from '#server/reminders/unsent-notices.ts'
import { findDue, positionsOf, type DueNotices, type Position } from './due-groups.ts'
import { comingView, type NoticesView } from './notice.view.ts'

interface DuePage extends Page {
  /** Only those of which a letter counts. */
  letters?: boolean | undefined
}

/**
 * A page of the notices that are due in the next 90 days, the first to close first. @throws TOO_MANY_AT_ONCE
 */
export function dueNotices(ctx: ReaderContext, page: DuePage): Promise<NoticesView> {
  return ctx.limits.during('lists', ctx.accountId, () => pageOfNotices(ctx, page))
}

async function pageOfNotices(ctx: ReaderContext, { letters, ...page }: DuePage): Promise<NoticesView> {
  const { read, accountId, today } = ctx
  const span = { from: today, through: addDays(today, NOTICE_DAYS) }
  const due = await findDue(ctx, span, { letters })
  const { shown, more } = await readPage(read, due, page)
  const ids = shown.map(({ contractId }) => contractId)
  const found = ids.length > 0 ? await read(candidatesOf(accountId, ids), NoticeCandidate) : []
  const windows = withWindows(found, span).toSorted((one, other) => compared(positionOf(one), positionOf(other)))
  const closing = windows.filter(({ days: { through } }) => warningReached(through, today) !== undefined)
  const reasons = await noticesAtRisk(
    ctx,
    closing.map(({ contract }) => contract.contractId),
  )
  return {
    rows: windows.map((one) => comingView(one, { today, reason: reasons.get(one.contract.contractId) })),
    total: due.groups.reduce((total, { count }) => total + count, 0),
    amount: amountFromSum(due.groups.reduce((sum, { cents }) => sum + cents, 0n)),
    first: cursorOf(shown[0]),
    last: cursorOf(shown.at(-1)),
    more,
  }
}

const PositionRow = z.object({ contractId: z.int(), through: z.custom<Day>((value) => isDay(String(value))) })

async function readPage(
  read: Read,
  due: DueNotices,
  { limit, after, before, skip }: Page,
): Promise<{ shown: Position[]; more: boolean }> {
  const backwards = after === undefined && before !== undefined
  const cursor = after ?? before
  const position = cursor === undefined ? undefined : positionAt(cursor)
  if (due.groups.length === 0) return { shown: [], more: false }
  // One more than is shown, to know whether others follow.
  const found = await read(positionsOf(due, { backwards, position, skip, count: limit + 1 }), PositionRow, 'each time')
  const shown = found.slice(0, limit)
  return { shown: backwards ? shown.toReversed() : shown, more: found.length > limit }
}

function positionOf({ days: { through }, contract: { contractId } }: WithWindow): Position {
  return { through, contractId }
}

function compared(one: Position, other: Position): number {
  if (one.through !== other.through) return one.through < other.through ? -1 : 1
  return one.contractId - other.contractId
}

const Cursor = z.tuple([z.literal('notices.due'), z.custom<Day>((value) => isDay(String(value))), z.int()])

function positionAt(cursor: string): Position {
  const [, through, contractId] = decodeCursor(cursor, Cursor)
  return { through, contractId }
}

function cursorOf(due: Position | undefined): string | null {
  return due ? encodeCursor(JSON.stringify(['notices.due', due.through, due.contractId])) : null
}
