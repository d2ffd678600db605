import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { daysBetween, type Day } from '#shared/domain/day.ts'
import { isNoticeDue, noticeObstacle } from '#shared/domain/notice-plan.ts'
import { customerLines } from '#shared/domain/reminder-plan.ts'
import type { WriteEach } from '#server/db/database.ts'
import { piecesOf } from '#server/db/pieces.ts'
import { add, type NewReminder } from '#server/ledger/planning.ts'
import { CHOSEN_RULE, ChosenRule, emailDaysOf } from '#server/notice-rules/chosen-rule.ts'
import { WindowIds, WINDOWS_AT_ONCE } from '#server/notice-rules/noticed-contracts.ts'
import type { PlanningRun } from './planning-run.ts'
import {
  contactNameOf,
  PAST_MESSAGE,
  PastMessageRow,
  SUBJECT_COLUMNS,
  SUBJECT_TABLES,
  SubjectRow,
  subjectOf,
} from './reminder-subject.ts'

/** A contract with an open window that email can keep, and what its customer was sent about the term. */
const NoticedRow = SubjectRow.extend({
  chosen: ChosenRule.nullable(),
  before: z.array(PastMessageRow),
})
type NoticedRow = z.output<typeof NoticedRow>

/** A condition that joins contracts `k` with the notices `n` of their current terms. */
export const IS_OF_TERM = sql`n.account_id = k.account_id and n.contract_id = k.id and n.term_number = k.term_number
  and n.renewal_date = k.renewal_date`

/** Reads the WindowIds of contracts whose recorded windows are open, and no letter was mailed. */
function openWindows(accountId: number, today: Day): Sql {
  return sql`
    select coalesce(json_agg(n.contract_id order by n.contract_id), '[]') as ids from notices n
    where n.account_id = ${accountId} and n.contract_id is not null and n.first_day <= ${today} and n.last_day >= ${today}
      and n.posted_on is null and 'email' = any(n.means)`
}

/** Of at least one contract, in order. Between the first and the last, its notices are found by their index, however many there are. */
function noticedRows(accountId: number, contractIds: readonly number[], today: Day): Sql {
  return sql`
    select ${SUBJECT_COLUMNS}, ${CHOSEN_RULE} as chosen, (
      select coalesce(json_agg(json_build_object(${PAST_MESSAGE})), '[]')
      from reminders r where r.account_id = k.account_id and r.contract_id = k.id and r.renewal_date = k.renewal_date
        and r.term_number = k.term_number and r.recipient = 'customer' and r.channel <> 'letter') as before
    from ${SUBJECT_TABLES} join notices n on ${IS_OF_TERM}
    where n.account_id = ${accountId} and k.account_id = ${accountId} and k.id = any(${[...contractIds]}::int[])
      and n.contract_id between ${contractIds[0] ?? 0} and ${contractIds.at(-1) ?? 0} and n.first_day <= ${today}
      and n.last_day >= ${today} and n.posted_on is null and 'email' = any(n.means) order by k.id`
}

/**
 * Adds the notices by email that are due today to the ledger, before reminders are: those of the same day then know that
 * the customer is written to.
 */
export async function planNotices(write: WriteEach, runs: readonly PlanningRun[]): Promise<void> {
  const planned = runs.filter(({ days, schedule }) => days !== undefined && schedule.hasNotices)
  const asked = planned.map(({ account, today }) => ({
    accountId: account.id,
    statement: openWindows(account.id, today),
  }))
  const open = await write(asked, WindowIds)
  // A contract may have a window of an earlier term as well.
  const windows = planned.map((run, index) => ({ run, ids: [...new Set(open[index]?.[0]?.ids)] }))
  for (const pieces of piecesOf(windows, WINDOWS_AT_ONCE)) await planPieces(write, pieces)
}

async function planPieces(write: WriteEach, pieces: readonly { run: PlanningRun; ids: readonly number[] }[]) {
  const asked = pieces.map(({ run: { account, today }, ids }) => ({
    accountId: account.id,
    statement: noticedRows(account.id, ids, today),
  }))
  const found = await write(asked, NoticedRow)
  const additions = pieces.flatMap(({ run }, index) => {
    const rows = (found[index] ?? []).flatMap((row) => noticesOf(row, run))
    return rows.length > 0 ? [{ accountId: run.account.id, now: run.now, today: run.today, rows }] : []
  })
  await add(write, additions)
}

function noticesOf(row: NoticedRow, { account, today }: PlanningRun): NewReminder[] {
  const subject = subjectOf(row, account)
  // Of what was recorded, a window that an email was sent in stays, also by a rule that no longer applies.
  const window = emailDaysOf(row)
  if (!window) return []
  const { contractId, customerId, customerName, renewalDate, termNumber } = row
  return customerLines(subject.contacts)
    .filter((line) => {
      const before = row.before.filter(({ contactId }) => contactId === line.contactId)
      return !noticeObstacle(subject, line, { window, today }) && isNoticeDue(before, { window, today })
    })
    .map((line) => ({
      ...line,
      contractId,
      customerId,
      customerName,
      contactName: contactNameOf(row, line.contactId),
      renewalDate,
      termNumber,
      kind: 'notice',
      offset: daysBetween(today, renewalDate),
      day: today,
      state: 'planned',
      reason: null,
    }))
}
