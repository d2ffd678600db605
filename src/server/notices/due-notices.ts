import { addDays } from '#shared/domain/day.ts'
import { warningReached } from '#shared/domain/notice-warning.ts'
import type { Page } from '#shared/schemas/filters.ts'
import { NOTICE_DAYS } from '#shared/schemas/notice-lists.ts'
import type { ReaderContext } from '#server/context.ts'
import { candidatesOf, NoticeCandidate, withWindows, type WithWindow } from '#server/notice-rules/noticed-contracts.ts'
import { noticesAtRisk } from '#server/reminders/unsent-notices.ts'
import { findDue, type Position } from './contract-groups.ts'
import { compared, pageOfContracts, totalsOf } from './contract-pages.ts'
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
  const { ids, ...ends } = await pageOfContracts(read, due, { name: 'notices.due', ...page })
  const found = ids.length > 0 ? await read(candidatesOf(accountId, ids), NoticeCandidate) : []
  const windows = withWindows(found, span).toSorted((one, other) => compared(positionOf(one), positionOf(other)))
  const closing = windows.filter(({ days: { through } }) => warningReached(through, today) !== undefined)
  const reasons = await noticesAtRisk(
    ctx,
    closing.map(({ contract }) => contract.contractId),
  )
  return {
    rows: windows.map((one) => comingView(one, { today, reason: reasons.get(one.contract.contractId) })),
    ...totalsOf(due),
    ...ends,
  }
}

function positionOf({ days: { through }, contract: { contractId } }: WithWindow): Position {
  return { day: through, contractId }
}
