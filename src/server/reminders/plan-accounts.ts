import sql, { type Sql } from 'sql-template-tag'
import { addDays } from '#shared/domain/day.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import type { Days } from '#shared/domain/reminder-occasions.ts'
import { plan } from '#shared/domain/reminder-plan.ts'
import type { JobContext } from '#server/context.ts'
import type { Asked, WriteEach } from '#server/db/write-together.ts'
import { CANDIDATES_AT_ONCE, someCandidates, type Candidate } from './candidates.ts'
import { add, endLongWaits, type Moment } from './ledger.ts'
import { ledgerRow } from './ledger-rows.ts'
import { notificationsAdded, type NewNotification } from '#server/notifications/notify.ts'
import { noticesOfEnd } from './notices.ts'
import { lockTurns, type Turn } from './planning-turn.ts'
import { subjectOf } from './reminder-subject.ts'
import { noticeOfStandstill } from './standstill.service.ts'

/**
 * Decides, in one transaction, about everything that has fallen due in these accounts since they were last planned, and
 * says when to plan them next. Accounts that somebody else is at are left to them.
 */
export async function planAccounts(
  { db, services }: Pick<JobContext, 'db' | 'services'>,
  accountIds: readonly number[],
): Promise<void> {
  await db.writeTogether(async (write) => {
    const turns = await lockTurns(write, accountIds, services)
    await decide(write, turns)
    await endLongWaits(write, turns.map(momentOf))
    await write(turns.flatMap(closing))
  })
}

interface Page {
  turn: Turn
  days: Days
  /** The last contract that was looked at. */
  after: number
}

/** Writes into the ledger what is due, for all accounts at once, a page of contracts of each after the other. */
async function decide(write: WriteEach, turns: Turn[]): Promise<void> {
  let pages: Page[] = turns.flatMap((turn) => (turn.days ? [{ turn, days: turn.days, after: 0 }] : []))
  while (pages.length > 0) {
    const found = await write<Candidate>(
      pages.map(({ turn: { account }, days, after }) => ({
        accountId: account.id,
        statement: someCandidates(account, days, after),
      })),
    )
    const added = pages.flatMap((page, place) => additions(page, found[place] ?? []))
    const overtaken = await add(write, added)
    await write(added.flatMap((one, place) => notices(noticesOfEnd(overtaken[place] ?? []), one)))
    pages = pages.flatMap((page, place) => nextPage(page, found[place] ?? []))
  }
}

function additions({ turn, days }: Page, candidates: Candidate[]) {
  const rows = candidates.flatMap((row) => {
    const from = row.since > days.from ? row.since : days.from
    const subject = subjectOf(row, turn.account, row.history)
    return plan(subject, { from, today: days.today }).flatMap((decision) => ledgerRow(row, decision, turn))
  })
  return rows.length > 0 ? [{ ...momentOf(turn), rows }] : []
}

function momentOf({ account, now, today }: Turn): Moment {
  return { accountId: account.id, now, today }
}

function notices(all: NewNotification[], { accountId, now }: Moment): Asked[] {
  return all.length > 0 ? [{ accountId, statement: notificationsAdded(all, { accountId, now }) }] : []
}

function nextPage(page: Page, rows: Candidate[]): Page[] {
  const last = rows.at(-1)
  return last && rows.length === CANDIDATES_AT_ONCE ? [{ ...page, after: last.contractId }] : []
}

function closing(turn: Turn): Asked[] {
  const { id: accountId } = turn.account
  const wasLate = turn.days && turn.schedule.plannedBefore
  return [
    { accountId, statement: settled(turn) },
    ...notices(wasLate ? noticeOfStandstill(dueSince(turn), turn) : [], momentOf(turn)),
  ]
}

/** When it was to be planned: also where it was looked at again after a whole day, but before its hour. */
function dueSince({ account: { settings, timeZone }, today, schedule }: Turn): Date {
  const next = new Date(schedule.nextPlanAt)
  const firstMissed = addDays(schedule.plannedThrough, 1)
  const missed = instantOf(firstMissed, settings.hour, timeZone)
  return firstMissed < today && missed < next ? missed : next
}

function settled({ account, now, through, next }: Turn): Sql {
  if (through === undefined)
    return sql`update reminder_schedules set next_plan_at = ${next} where account_id = ${account.id}`
  return sql`
    update reminder_schedules set planned_through = ${through}, planned_at = ${now}, next_plan_at = ${next}
    where account_id = ${account.id}`
}
