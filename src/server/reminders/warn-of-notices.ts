import sql, { type Sql } from 'sql-template-tag'
import { daysBetween, type Day } from '#shared/domain/day.ts'
import {
  NOTICE_CHANCE_MS,
  warningDue,
  warningReached,
  type WarningDays,
  type WhyNoEmail,
} from '#shared/domain/notice-warning.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { AccountStatement, WriteEach } from '#server/db/database.ts'
import { piecesOf } from '#server/db/pieces.ts'
import { WINDOWS_AT_ONCE } from '#server/notice-rules/noticed-contracts.ts'
import type { ClosingWindows } from '#server/notice-rules/record-windows.ts'
import { notificationsAdded } from '#server/notifications/notify.ts'
import type { NewNotification } from '#server/notifications/texts.ts'
import type { PlanningRun } from './planning-run.ts'
import { UnsentNotice, unsentNotices, whyUnsent } from './unsent-notices.ts'

/** Of more windows at once the owner is told in one notification. */
const MOST_NAMED = 5

/**
 * Warns owners, once a threshold, of windows that are about to close without notice: in the app, and by an email that is left
 * to its job. Returns the runs whose accounts have to be planned again within the hour, as a notice is about to be sent of
 * which there is not another day to warn. However many windows close, they are read in pieces.
 */
export async function warnOfNotices(
  write: WriteEach,
  runs: readonly PlanningRun[],
  closing: readonly ClosingWindows[],
): Promise<PlanningRun[]> {
  const idsOf = new Map(closing.map(({ accountId, ids }) => [accountId, ids]))
  const told = new Map(runs.map((run) => [run, noWarning()]))
  const asked = runs.map((run) => ({ run, ids: idsOf.get(run.account.id) ?? [] }))
  for (const pieces of piecesOf(asked, WINDOWS_AT_ONCE)) {
    const statements = pieces.map(({ run: { account, now, today }, ids }) => ({
      accountId: account.id,
      statement: unsentNotices(account.id, ids, { now, today }),
    }))
    const found = await write(statements, UnsentNotice)
    const warned = pieces.flatMap(({ run }, index) => {
      const unsent = (found[index] ?? []).map((row) => ({ run, row, why: whyOf(row, run) }))
      const warnings = unsent.flatMap(warningOf)
      add(told.get(run), warnings, unsent.some(isLastChance))
      return warnings.length > 0 ? [{ accountId: run.account.id, statement: warnedOf(run, warnings) }] : []
    })
    await write(warned)
  }
  await write([...told].flatMap(([run, all]) => notificationsOf(run, all)))
  return [...told].flatMap(([run, { hasLastChance }]) => (hasLastChance ? [run] : []))
}

/** What an owner is told of all windows together. */
interface OwnerWarning {
  count: number
  firstLastDay: Day | undefined
  /** The first of them, as many as are named. */
  named: Warned[]
  hasLastChance: boolean
}

function noWarning(): OwnerWarning {
  return { count: 0, firstLastDay: undefined, named: [], hasLastChance: false }
}

function add(told: OwnerWarning | undefined, warnings: readonly Warned[], hasLastChance: boolean): void {
  if (!told) return
  told.count += warnings.length
  for (const { row } of warnings)
    if (told.firstLastDay === undefined || row.lastDay < told.firstLastDay) told.firstLastDay = row.lastDay
  told.named.push(...warnings.slice(0, MOST_NAMED - told.named.length))
  told.hasLastChance ||= hasLastChance
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

function warnedOf({ account, now }: PlanningRun, warnings: readonly Warned[]): Sql {
  const rows = warnings.map(({ row: { noticeId: id }, days }) => ({ id, days }))
  return sql`
    update notices n set warned_days = w.days, warned_last_day = n.last_day, warned_at = ${now}, owner_email_at = ${now},
      owner_email_key = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as w(id int, days int)
    where n.account_id = ${account.id} and n.id = w.id`
}

function notificationsOf({ account, now, today }: PlanningRun, told: OwnerWarning): AccountStatement[] {
  const all = newNotifications(today, told)
  return all.length > 0
    ? [{ accountId: account.id, statement: notificationsAdded(all, { accountId: account.id, now }) }]
    : []
}

function newNotifications(today: Day, { count, firstLastDay, named }: OwnerWarning): NewNotification[] {
  if (firstLastDay === undefined) return []
  if (count > MOST_NAMED) return [{ kind: 'notices_at_risk', count, lastDay: firstLastDay }]
  return named.map(({ row, why }) => {
    const { contractId, title, lastDay, means, preset } = row
    const customerName = withoutDirectionMarks(row.customerName)
    const daysLeft = daysBetween(today, lastDay)
    return { kind: 'notice_at_risk', contractId, customerName, title, lastDay, daysLeft, why, means, preset }
  })
}
