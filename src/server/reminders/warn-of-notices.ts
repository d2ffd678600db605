import sql, { type Sql } from 'sql-template-tag'
import { daysBetween } from '#shared/domain/day.ts'
import {
  NOTICE_CHANCE_MS,
  warningDue,
  warningReached,
  type WarningDays,
  type WhyNoEmail,
} from '#shared/domain/notice-warning.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { WriteEach } from '#server/db/database.ts'
import type { WithWindow } from '#server/notice-rules/noticed-contracts.ts'
import { notificationsAdded } from '#server/notifications/notify.ts'
import type { NewNotification } from '#server/notifications/texts.ts'
import type { PlanningRun } from './planning-run.ts'
import { UnsentNotice, unsentNotices, whyUnsent } from './unsent-notices.ts'

/** Of more windows at once the owner is told in one notification. */
const MOST_NAMED = 5

/**
 * Warns owners, once a threshold, of windows that are about to close without notice: in the app, and by an email that is left
 * to its job. Returns the runs whose accounts have to be planned again within the hour, as a notice is about to be sent of
 * which there is not another day to warn.
 */
export async function warnOfNotices(
  write: WriteEach,
  runs: readonly PlanningRun[],
  windows: ReadonlyMap<number, readonly WithWindow[]>,
): Promise<PlanningRun[]> {
  const asked = runs.flatMap((run) => {
    const open = windows.get(run.account.id) ?? []
    const closing = open.filter(({ days }) => warningReached(days.through, run.today) !== undefined)
    const ids = closing.map(({ contract }) => contract.contractId)
    return ids.length > 0 ? [{ run, ids }] : []
  })
  const found = await write(
    asked.map(({ run: { account, today }, ids }) => ({
      accountId: account.id,
      statement: unsentNotices(account.id, ids, today),
    })),
    UnsentNotice,
  )
  const unsent = asked.flatMap(({ run }, index) =>
    (found[index] ?? []).map((row) => ({ run, row, why: whyOf(row, run) })),
  )
  const warnings = unsent.flatMap(warningOf)
  const statements = [...Map.groupBy(warnings, ({ run }) => run)].flatMap(([run, own]) =>
    [warned(run, own), notificationsAdded(notificationsOf(run, own), { accountId: run.account.id, now: run.now })].map(
      (statement) => ({ accountId: run.account.id, statement }),
    ),
  )
  await write(statements)
  return [...new Set(unsent.filter(isLastChance).map(({ run }) => run))]
}

interface Unsent {
  run: PlanningRun
  row: UnsentNotice
  why: WhyNoEmail | undefined
}

interface Warned extends Unsent {
  why: WhyNoEmail
  days: WarningDays
}

function whyOf(row: UnsentNotice, { account, now, days }: PlanningRun): WhyNoEmail | undefined {
  return whyUnsent(row, account, { now, hasAccess: days !== undefined })
}

function warningOf({ run, row, why }: Unsent): Warned[] {
  const { lastDay, warnedDays, warnedLastDay, wasEmailedSince } = row
  const isNews = wasEmailedSince || warnedDays === null || warnedLastDay === null
  const warned = isNews ? null : { days: warnedDays, lastDay: warnedLastDay }
  const days = warningDue({ lastDay, why, warned }, run.today)
  return days !== undefined && why !== undefined ? [{ run, row, why, days }] : []
}

/** An email waits of which tomorrow might be too late to warn. */
function isLastChance({ run, row: { lastDay, messages }, why }: Unsent): boolean {
  const isWaiting = messages.some(({ state }) => state === 'planned' || state === 'sending')
  return why === undefined && isWaiting && warningReached(lastDay, run.today) === 2
}

/** When an account is planned again in which a notice is about to be sent. */
export function soonAfter({ now, next }: PlanningRun): Date {
  const soon = new Date(now.getTime() + NOTICE_CHANCE_MS)
  return soon < next ? soon : next
}

function warned({ account, now }: PlanningRun, warnings: readonly Warned[]): Sql {
  const rows = warnings.map(({ row: { noticeId: id }, days }) => ({ id, days }))
  return sql`
    update notices n set warned_days = w.days, warned_last_day = n.last_day, warned_at = ${now}, owner_email_at = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as w(id int, days int)
    where n.account_id = ${account.id} and n.id = w.id`
}

function notificationsOf({ today }: PlanningRun, warnings: readonly Warned[]): NewNotification[] {
  const lastDays = warnings.map(({ row }) => row.lastDay).toSorted()
  const [first] = lastDays
  if (first === undefined) return []
  if (warnings.length > MOST_NAMED) return [{ kind: 'notices_at_risk', count: warnings.length, lastDay: first }]
  return warnings.map(({ row, why }) => {
    const { contractId, title, lastDay, means } = row
    const customerName = withoutDirectionMarks(row.customerName)
    const daysLeft = daysBetween(today, lastDay)
    return { kind: 'notice_at_risk', contractId, customerName, title, lastDay, daysLeft, why, means }
  })
}
