import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import { isUpcoming } from '#shared/domain/reminder-plan.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext } from '#server/context.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { customersOf } from '#server/customers/customer.rows.ts'
import { instant } from '#server/db/columns.ts'
import { readReminderAccount } from './reminder-account.ts'
import { Candidate, candidateColumns, forecastOf, SUBJECT_TABLES } from './reminder-subject.ts'
import {
  MANUAL_GOES_OUT_AT,
  messageView,
  REMINDER_COLUMNS,
  ReminderRow,
  reminderView,
  wasRemindedOn,
  type MessageView,
  type ReminderView,
} from './reminder.view.ts'

const LATEST = 100
const EARLIEST = 100
/** Open contracts of one customer that are looked at, the nearest first. */
const MOST_CONTRACTS = 100

export interface CustomerRemindersView {
  /** The messages about this customer's contracts, latest first; at most 100. */
  history: ReminderView[]
  /** Those of the next 90 days, earliest first; at most 100. */
  next: MessageView[]
  /** The contracts, of the nearest 100 that are open, about which the customer got a reminder today, by hand or not. */
  remindedToday: number[]
  /** Those with a reminder by hand that is on its way. */
  plannedReminders: { contractId: number; goesOutAt: Date }[]
}

/** A customer's past and upcoming messages, about all of their contracts. @throws CUSTOMER_NOT_FOUND, also for somebody else's */
export async function customerReminders(ctx: ReaderContext, { id }: ById): Promise<CustomerRemindersView> {
  const { read, accountId, today } = ctx
  const [account, [customer], history, open, coming] = await Promise.all([
    readReminderAccount(read, accountId),
    read(sql`select c.id ${customersOf(accountId)} and c.id = ${id}`, z.object({ id: z.int() })),
    read(historyOf(accountId, id), ReminderRow),
    read(openContracts(ctx, id), OpenRow),
    read(contractsWithOccasions(ctx, id), Candidate),
  ])
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  const upcoming = coming.flatMap((row) =>
    forecastOf(row, account, comingSpan(today))
      .filter(isUpcoming)
      .map((decision) => messageView(row, decision)),
  )
  return {
    history: history.map(reminderView),
    next: upcoming
      .toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))
      .slice(0, EARLIEST),
    remindedToday: open.filter(({ isReminded }) => isReminded).map(({ contractId }) => contractId),
    plannedReminders: open.flatMap(({ contractId, goesOutAt }) => (goesOutAt ? [{ contractId, goesOutAt }] : [])),
  }
}

function historyOf(accountId: number, customerId: number): Sql {
  return sql`
    select ${REMINDER_COLUMNS} from reminders r where r.account_id = ${accountId} and r.customer_id = ${customerId}
    order by r.due_on desc, r.id desc limit ${LATEST}`
}

const OpenRow = z.object({ contractId: z.int(), isReminded: z.boolean(), goesOutAt: instant.nullable() })

/** What is known of today's reminders about each. */
function openContracts({ accountId, today }: ReaderContext, customerId: number): Sql {
  return sql`
    select k.id as "contractId", ${wasRemindedOn(today)} as "isReminded", ${MANUAL_GOES_OUT_AT} as "goesOutAt"
    from contracts k where k.account_id = ${accountId} and k.customer_id = ${customerId} and ${IS_OPEN}
    order by k.renewal_date, k.id limit ${MOST_CONTRACTS}`
}

function contractsWithOccasions({ accountId, today, caller }: ReaderContext, customerId: number): Sql {
  return sql`
    select ${candidateColumns(caller)} from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.customer_id = ${customerId} and ${IS_OPEN}
      and k.renewal_date = any(${renewalDatesWithOccasions(comingSpan(today))}::date[])
    order by k.renewal_date, k.id limit ${MOST_CONTRACTS}`
}
