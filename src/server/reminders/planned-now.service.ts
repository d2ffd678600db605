import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { dayIn, type Day } from '#shared/domain/day.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import { AppError } from '#shared/errors.ts'
import type { MessageKey, UndoPlannedNow } from '#shared/schemas/reminders.ts'
import { asSubscriber, requireSubscriber, type RequestContext, type SubscriberContext } from '#server/context.ts'
import { skipByHand } from '#server/ledger/requests.ts'
import { withdrawPlannedNow } from '#server/ledger/planned-now.ts'
import { replan } from '#server/ledger/schedule.ts'
import { NOT_SENT, refuseOverLimit } from './manual-reminders.service.ts'
import { findMessage, lastDayOf, plan, releasable, requestOf, type FoundMessage } from './outbox-actions.service.ts'
import { asReadBy } from './reminder-subject.ts'

export interface PlannedNow {
  /** When it goes out, unless it is undone before. */
  goesOutAt: Date
  /** Where it was planned; null if the ledger did not have it as planned. */
  before: { day: Day; at: Date } | null
}

/**
 * Plans a message for 10 seconds from now, instead of its day; until then it can be undone.
 * @throws TOO_MANY_REQUESTS, what sending it at once is refused with, and REMINDER_ON_ITS_WAY if that was done already
 */
export async function planReminderNow(ctx: RequestContext, key: MessageKey): Promise<PlannedNow> {
  await ctx.limits.take('remindersByHand', requireSubscriber(ctx).accountId)
  return asSubscriber(ctx, (subscriber) => planNow(subscriber, key))
}

async function planNow(ctx: SubscriberContext, key: MessageKey): Promise<PlannedNow> {
  const found = await releasable(ctx, key)
  // One moment for all of it: Undo recognizes the row by the time between its planning and its sending.
  const now = ctx.services.now()
  const goesOutAt = new Date(now.getTime() + UNDO_MS)
  const { state, day, at, account, row } = found
  const before = state === 'planned' && at ? { day, at } : null
  if (isOnItsWay(found, now)) throw new AppError('REMINDER_ON_ITS_WAY', { details: NOT_SENT })
  const email = key.recipient === 'customer' ? asReadBy(row, key.contactId).email : null
  await refuseOverLimit(ctx, email === null ? [] : [email], account)
  const today = dayIn(now, account.timeZone)
  await plan(ctx, { ...found, day: today }, { at: goesOutAt, from: ['planned', 'failed', 'skipped'], now })
  return { goesOutAt, before }
}

const DAY_MS = 86_400_000

/** Planned by hand, and not sent yet. */
function isOnItsWay({ state, at }: Pick<FoundMessage, 'state' | 'at'>, now: Date): boolean {
  if (state !== 'planned' || !at) return false
  return at > now && at.getTime() <= now.getTime() + UNDO_MS
}

/**
 * Puts a message back to where it was planned. One that the ledger did not have goes out on its day; one that had failed or
 * was skipped is skipped. @throws REMINDER_NOT_FOUND, REMINDER_DECIDED if it does not go out within 10 seconds, REMINDER_SNOOZE_DAY
 */
export async function undoPlannedNow(ctx: SubscriberContext, { before, ...key }: UndoPlannedNow): Promise<void> {
  const { write, accountId, services } = ctx
  const now = services.now()
  const found = await findMessage(ctx, key)
  if (!isOnItsWay(found, now)) throw new AppError('REMINDER_DECIDED')
  if (before) {
    if (before.day > lastDayOf(key, ctx.today)) throw new AppError('REMINDER_SNOOZE_DAY')
    const latest = Math.max(now.getTime(), Date.parse(`${before.day}T00:00:00Z`)) + 2 * DAY_MS
    const at = new Date(Math.min(latest, Math.max(now.getTime(), before.at.getTime())))
    await plan(ctx, { ...found, day: before.day }, { at, from: ['planned'], now })
    return
  }
  if (found.id !== undefined && (await withdrawPlannedNow(write, { accountId, id: found.id }))) {
    const { settings, timeZone } = found.account
    // Today may have been planned meanwhile, without it.
    if (instantOf(ctx.today, settings.hour, timeZone) <= now) await replan(write, { accountId, now })
    return
  }
  const request = { ...requestOf(found), from: ['planned' as const] }
  if ((await skipByHand(write, request, { accountId, now })) === undefined) throw new AppError('REMINDER_DECIDED')
}
