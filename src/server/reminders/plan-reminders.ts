import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, type Day, type DaySpan } from '#shared/domain/day.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import { isRecorded, plan, type Decision } from '#shared/domain/reminder-plan.ts'
import { MOST_UNTIL_PLANNED_MS } from '#shared/domain/reminder-waits.ts'
import { actsOn } from '#shared/domain/settled-contract.ts'
import type { JobContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { AccountStatement, WriteEach } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import { notificationsAdded } from '#server/notifications/notify.ts'
import { written, type NewNotification } from '#server/notifications/texts.ts'
import { chunksOf, inParallel } from '#server/limits/in-parallel.ts'
import { add, correctWaits, type NewReminder } from '#server/ledger/planning.ts'
import type { Moment } from '#server/ledger/ledger.ts'
import { noticeOf, noticesOfEnd, type Planning } from './notices.ts'
import { noticesOfDelay } from './reminder-runs.service.ts'
import { recordWindows, type Recording } from '#server/notice-rules/record-windows.ts'
import { ReminderScheduleEntity } from '#server/ledger/reminder.entity.ts'
import { scheduleNext } from '#server/ledger/schedule.ts'
import { planNotices } from './plan-notices.ts'
import { lockSchedules, type PlanningRun } from './planning-run.ts'
import { soonAfter, warnOfNotices } from './warn-of-notices.ts'
import {
  CANDIDATES_AT_ONCE,
  Candidate,
  contactNameOf,
  someCandidates,
  subjectOf,
  type SubjectRow,
} from './reminder-subject.ts'

/** Accounts per transaction: more would block their owners' writes for longer. */
const TOGETHER = 20
const AT_ONCE = 4
const PAGE = TOGETHER * AT_ONCE * 5

/** Plans every account that is due. One that fails is tried again in the next run. */
export async function planReminders(ctx: JobContext): Promise<void> {
  const seen = new Set<number>()
  for (let due = await dueAccounts(ctx, seen); due.length > 0; due = await dueAccounts(ctx, seen)) {
    for (const accountId of due) seen.add(accountId)
    await inParallel(chunksOf(due, TOGETHER), { most: AT_ONCE }, (group) => planGroup(ctx, group))
  }
}

const SCHEDULED = columnsOf(ReminderScheduleEntity, 's', ['accountId'])
const ScheduledRow = z.object(SCHEDULED.fields)

async function dueAccounts({ db, services, signal }: JobContext, seen: Set<number>): Promise<number[]> {
  if (signal.aborted) return []
  const now = services.now()
  // A later time than this was set while the clock was wrong.
  const latest = new Date(now.getTime() + MOST_UNTIL_PLANNED_MS)
  // An account that was seen and is still due has failed, or is locked.
  const statement = sql`
    select ${SCHEDULED} from reminder_schedules s
    where (next_plan_at <= ${now} or next_plan_at > ${latest})
      and account_id <> all(${[...seen]}::int[]) order by next_plan_at, account_id limit ${raw(String(PAGE))}`
  const rows = await readRows(db.system, statement, ScheduledRow)
  return rows.map(({ accountId }) => accountId)
}

/** If one account cannot be planned, the others are planned without it. */
async function planGroup(ctx: JobContext, group: number[]): Promise<void> {
  if (ctx.signal.aborted) return
  try {
    await planAccounts(ctx, group)
  } catch (error) {
    const [accountId] = group
    if (group.length > 1) for (const one of group) await planGroup(ctx, [one])
    else ctx.log.error({ err: error, accountId }, 'the reminders of an account could not be planned')
  }
}

/**
 * Decides, in one transaction, about everything that has fallen due in these accounts since they were last planned, and
 * says when to plan them next. Accounts whose schedules are locked are left to the process that has the lock.
 */
export async function planAccounts(
  { db, services }: Pick<JobContext, 'db' | 'services'>,
  accountIds: readonly number[],
): Promise<void> {
  await db.writeTogether(async (write) => {
    const runs = await lockSchedules(write, accountIds, services)
    const windows = await recordWindows(write, runs.flatMap(recordingOf))
    await planNotices(write, runs)
    const waiting = await warnOfNotices(write, runs, windows)
    await decide(write, runs)
    await correctWaits(write, runs.map(hourOf))
    await write(runs.flatMap((run) => closing(waiting.includes(run) ? { ...run, next: soonAfter(run) } : run)))
  })
}

/** Once the account's hour has come, also where nothing can be sent. */
function recordingOf({ account, today, schedule, through }: PlanningRun): Recording[] {
  if (through === undefined || !schedule.hasNotices) return []
  return [{ accountId: account.id, today, plannedThrough: schedule.plannedThrough }]
}

interface Page {
  run: PlanningRun
  days: DaySpan
  /** The last contract that was examined. */
  after: number
}

/** Adds what is due to the ledger, for all accounts together, one page of each account's contracts at a time. */
async function decide(write: WriteEach, runs: PlanningRun[]): Promise<void> {
  let pages: Page[] = runs.flatMap((run) => (run.days ? [{ run, days: run.days, after: 0 }] : []))
  while (pages.length > 0) {
    const asked = pages.map(({ run: { account }, days, after }) => ({
      accountId: account.id,
      statement: someCandidates(account, days, after),
    }))
    const found = await write(asked, Candidate)
    const added = pages.flatMap((page, index) => additions(page, found[index] ?? []))
    const replaced = await add(write, added)
    await write(replaced.flatMap(({ ended, ...moment }) => notices(noticesOfEnd(ended), moment)))
    pages = pages.flatMap((page, index) => nextPage(page, found[index] ?? []))
  }
}

function additions({ run, days }: Page, candidates: Candidate[]) {
  const rows = candidates.flatMap((row) => {
    if (isAboutToAct(row, days.through)) return []
    const from = row.since > days.from ? row.since : days.from
    const subject = subjectOf(row, run.account, row.history)
    return plan(subject, { from, through: days.through }).flatMap((decision) => ledgerRow(row, decision, run))
  })
  return rows.length > 0 ? [{ ...momentOf(run), rows }] : []
}

/** Whether the contract is renewed, expires or ends by itself within minutes, which ends what is planned about its term. */
function isAboutToAct(row: Candidate, today: Day): boolean {
  const day = actsOn(row)
  return day !== null && day <= today
}

function momentOf({ account, now, today }: PlanningRun): Moment {
  return { accountId: account.id, now, today }
}

function hourOf(run: PlanningRun) {
  const { settings, timeZone } = run.account
  return { ...momentOf(run), hour: settings.hour, timeZone }
}

function notices(all: NewNotification[], { accountId, now }: Moment): AccountStatement[] {
  return all.length > 0 ? [{ accountId, statement: notificationsAdded(all, { accountId, now }) }] : []
}

function nextPage(page: Page, rows: Candidate[]): Page[] {
  const last = rows.at(-1)
  return last && rows.length === CANDIDATES_AT_ONCE ? [{ ...page, after: last.contractId }] : []
}

function closing(run: PlanningRun): AccountStatement[] {
  const { id: accountId } = run.account
  const wasLate = run.days && run.schedule.plannedAt !== null
  return [
    { accountId, statement: scheduleNext(momentOf(run), run) },
    ...notices(wasLate ? noticesOfDelay(dueSince(run), run) : [], momentOf(run)),
  ]
}

/** When planning was due: the hour of the first missed day, if that is earlier than the next planned time. */
function dueSince({ account: { settings, timeZone }, today, schedule }: PlanningRun): Date {
  const next = schedule.nextPlanAt
  const firstMissed = addDays(schedule.plannedThrough, 1)
  const missed = instantOf(firstMissed, settings.hour, timeZone)
  return firstMissed < today && missed < next ? missed : next
}

/** A decision as it is stored in the ledger. */
export function ledgerRow(row: SubjectRow, decision: Decision, planning: Planning): NewReminder[] {
  if (!isRecorded(decision)) return []
  const { verdict, kind, offset, day, recipient, contactId, channel } = decision
  const isNotice = verdict === 'due' && channel === 'in_app'
  const { contractId, customerId, customerName, renewalDate, termNumber } = row
  return [
    {
      contractId,
      customerId,
      customerName,
      renewalDate,
      termNumber,
      kind,
      offset,
      day,
      recipient,
      contactId,
      contactName: contactNameOf(row, contactId),
      channel,
      state: stateOf(decision),
      reason: verdict === 'due' ? null : verdict,
      notice: isNotice ? written(noticeOf(row, decision, planning)) : undefined,
    },
  ]
}

function stateOf({ verdict, channel }: Decision): 'planned' | 'sent' | 'skipped' {
  if (verdict !== 'due') return 'skipped'
  return channel === 'in_app' ? 'sent' : 'planned'
}
