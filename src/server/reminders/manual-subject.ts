import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { daysLeft } from '#shared/domain/contract-term.ts'
import type { Day } from '#shared/domain/day.ts'
import { manualObstacle, type ManualObstacle } from '#shared/domain/manual-reminder.ts'
import {
  customerLine,
  customerLines,
  unreachableAt,
  type Line,
  type PastMessage,
} from '#shared/domain/reminder-plan.ts'
import type { Read } from '#server/db/database.ts'
import { IS_REMINDER } from '#server/ledger/ledger.ts'
import type { Requested } from '#server/ledger/requests.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { contactNameOf, readersOf, SUBJECT_COLUMNS, SUBJECT_TABLES, SubjectRow } from './reminder-subject.ts'

/** A contract with what decides whether a reminder can be sent by hand. */
export const ManualRow = SubjectRow.extend({
  lastSentOn: SubjectRow.shape.renewalDate.nullable(),
  isOnItsWay: z.boolean(),
})
export type ManualRow = z.output<typeof ManualRow>

interface ManualQuery {
  accountId: number
  today: Day
  /** Only this contact of the customer, rather than all. */
  contactId?: number | undefined
  /** The message, if it is in the ledger already. */
  except?: number | undefined
}

/**
 * Reads ManualRows of an account's contracts; conditions on `k` may follow. A snoozed message does not count as waiting, nor
 * does one in the future, sent while the clock was wrong, as sent today. Confirmations of renewals remind nobody.
 */
export function manualRows({ accountId, today, contactId, except }: ManualQuery): Sql {
  return sql`
    select ${SUBJECT_COLUMNS}, past.*
    from ${SUBJECT_TABLES} cross join lateral (
      select max(r.sent_on) filter (where r.sent_on <= ${today}) as "lastSentOn", coalesce(bool_or(r.id <> ${except ?? 0}
        and (r.state = 'sending' or r.state = 'planned' and r.due_on <= ${today})), false) as "isOnItsWay"
      from reminders r
      where r.account_id = k.account_id and r.contract_id = k.id and r.recipient = 'customer'
        and ${IS_REMINDER} and r.contact_id = coalesce(${contactId ?? null}, r.contact_id)) past
    where k.account_id = ${accountId}`
}

interface ObstacleQuery extends Pick<ManualQuery, 'today' | 'contactId'> {
  account: ReminderAccount
  kind?: PastMessage['kind']
}

/** Why no reminder can be sent by hand now, to the customer or to one contact; undefined if one can. */
export function obstacleTo(
  row: ManualRow,
  { account, today, contactId, kind = 'manual' }: ObstacleQuery,
): ManualObstacle | undefined {
  const { company, isMailStopped, isOwnerVerified } = account
  const readers = readersOf(row, account)
  const lines = contactId === undefined ? customerLines(readers.contacts) : [{ ...customerLine(contactId), kind }]
  const { status, isAnswered, lastSentOn, isOnItsWay } = row
  const facts = { hasCompanyName: company.name !== null, isOwnerVerified, isMailStopped }
  return manualObstacle({ ...readers, lines, status, isAnswered, lastSentOn, isOnItsWay, ...facts }, today)
}

/** The customer's contacts that can be reached. */
export function reachedLines(row: SubjectRow, account: ReminderAccount): Line[] {
  const readers = readersOf(row, account)
  return customerLines(readers.contacts).filter((line) => !unreachableAt(readers, line))
}

/** A reminder by hand, as the ledger takes it. One that failed or was undone today is planned again. */
export function manualMessage(row: SubjectRow, line: Line, today: Day): Requested {
  const { contractId, customerId, customerName, renewalDate, termNumber } = row
  const contactName = contactNameOf(row, line.contactId)
  const contract = { contractId, customerId, customerName, contactName, renewalDate, termNumber }
  const offset = daysLeft(row, today)
  return { ...contract, ...line, kind: 'manual', offset, day: today, from: ['failed', 'skipped'] }
}

const AddressRow = SubjectRow.pick({ email: true })

/** The addresses of reminders by hand that have not been sent yet. */
export async function waitingByHand(read: Read, accountId: number): Promise<string[]> {
  const statement = sql`
    select case r.contact_id when 0 then c.email else x.email end as email
    from reminders r join customers c on c.account_id = r.account_id and c.id = r.customer_id
      left join customer_contacts x on x.account_id = c.account_id and x.customer_id = c.id and x.id = r.contact_id
    where r.account_id = ${accountId} and r.kind = 'manual' and r.state = 'planned'`
  const rows = await read(statement, AddressRow)
  return rows.flatMap(({ email }) => email ?? [])
}
