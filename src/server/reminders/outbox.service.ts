import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, isDay, type Day } from '#shared/domain/day.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import { expectedSkip } from '#shared/domain/expected-skip.ts'
import { comingSpan, OUTBOX_DAYS } from '#shared/domain/reminder-forecast.ts'
import { isUpcoming, plan, unreachable, type Decision, type Unreachable } from '#shared/domain/reminder-plan.ts'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from '#shared/domain/reminder-preferences.ts'
import type { ListReminders } from '#shared/schemas/filters.ts'
import { REMINDER_REASONS, type ListComing } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { closedReason, ClosedReasonField } from '#server/customers/closed-address.rows.ts'
import { decodeCursor, encodeCursor, pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView, type PageView } from '#server/db/page.ts'
import { hasBounced } from '#server/deliverability/bounces.service.ts'
import { isStopped } from '#server/deliverability/mail-stops.service.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { Candidate, candidateColumns, SUBJECT_TABLES, subjectOf } from './reminder-subject.ts'
import {
  messageView,
  REMINDER_COLUMNS,
  ReminderRow,
  reminderView,
  type MessageView,
  type ReminderView,
} from './reminder.view.ts'

const BY_DAY: SortKey = { name: 'reminders', expression: 'r.due_on', type: 'date', id: 'r.id', idType: 'bigint' }

/** Changes of the contract that may keep a waiting message from being sent. */
const LISTED_COLUMNS = sql`${REMINDER_COLUMNS}, case when r.state = 'planned' then (
    select json_build_object('renewalDate', k.renewal_date, 'status', k.status)
    from contracts k where k.account_id = r.account_id and k.id = r.contract_id) end as "contractNow",
  r.state = 'planned' and r.recipient = 'customer' and ${isStopped(sql`r.account_id`)} as "isMailStopped"`

const ListedRow = ReminderRow.extend({
  /** Null if nothing is waiting, or the contract was deleted. */
  contractNow: Candidate.pick({ renewalDate: true, status: true }).nullable(),
  isMailStopped: z.boolean(),
})
const ListedPage = pageRow(ListedRow)

export interface ListedReminderView extends ReminderView {
  /** Why it would not be sent when its time comes. */
  obstacle: string | null
}

/** The ledger of the last and the next 90 days, latest first. */
export async function listReminders(
  { read, accountId, today }: ReaderContext,
  { state, ...position }: ListReminders,
): Promise<PageView<ListedReminderView>> {
  const page = pageOf(BY_DAY, 'desc', position)
  const from = sql`
    from reminders r where r.account_id = ${accountId} ${state ? sql`and r.state = ${state}` : empty}
      and r.due_on between ${addDays(today, -OUTBOX_DAYS)} and ${addDays(today, OUTBOX_DAYS)}`
  const [found] = await read(pageStatement({ columns: LISTED_COLUMNS, from, page }), ListedPage)
  return pageView(found, page, ({ contractNow, isMailStopped, cursor: _cursor, ...row }) => {
    const reason = contractNow && expectedSkip(row, { contract: contractNow, isMailStopped })
    return { ...reminderView(row), obstacle: reason ? REMINDER_REASONS[reason] : null }
  })
}

export interface UnreachableView {
  /** Their total number, and the value of their contracts. */
  total: number
  revenue: number
  customers: {
    customerId: number
    customerName: string
    email: string | null
    /** Why no email reaches them. */
    reason: Unreachable
    contracts: number
    revenue: number
    renewalDate: Day
  }[]
}

const UnreachableRow = Candidate.pick({ customerId: true, customerName: true, email: true, renewalDate: true }).extend({
  hasBounced: z.boolean(),
  closed: ClosedReasonField,
  contracts: z.int(),
  cents: z.string(),
  total: z.int(),
  totalCents: z.string(),
})

/**
 * Customers without a usable address, of any contact, whose contracts renew within 90 days, the nearest first. Customers whose
 * notifications are turned off are left out: an address would change nothing.
 */
export async function listUnreachable({ read, accountId, today }: ReaderContext): Promise<UnreachableView> {
  const { from, through } = comingSpan(today)
  const rows = await read(
    sql`
    select c.id as "customerId", c.name as "customerName", c.email, count(*)::int as contracts,
      bool_or(${hasBounced(sql`k.account_id`, sql`c.email`)}) as "hasBounced",
      min(${closedReason(sql`k.account_id`, sql`c.mailbox`)}) as closed,
      sum(k.amount_cents)::text as cents, min(k.renewal_date) as "renewalDate",
      (count(*) over ())::int as total, (sum(sum(k.amount_cents)) over ())::text as "totalCents"
    from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where k.account_id = ${accountId} and ${IS_OPEN} and k.renewal_date between ${from} and ${through}
      and c.send_notifications and (c.email is null or ${hasBounced(sql`k.account_id`, sql`c.email`)})
      and not exists (select from customer_contacts x where x.account_id = c.account_id and x.customer_id = c.id
        and x.reminders and x.email is not null and not ${hasBounced(sql`x.account_id`, sql`x.email`)}
        and ${closedReason(sql`x.account_id`, sql`x.mailbox`)} is null)
    group by c.id, c.name, c.email order by min(k.renewal_date), c.id limit 50`,
    UnreachableRow,
    'each time',
  )
  return {
    total: rows[0]?.total ?? 0,
    revenue: amountFromSum(BigInt(rows[0]?.totalCents ?? 0)),
    customers: rows.map(({ cents, total: _total, totalCents: _cents, hasBounced: isBounced, closed, ...row }) => ({
      ...row,
      reason: unreachable({ email: row.email, sendNotifications: true, hasBounced: isBounced, closed }) ?? 'no_address',
      revenue: amountFromSum(BigInt(cents)),
    })),
  }
}

const OFFSETS = [...REMINDER_DAYS, ...FOLLOW_UP_DAYS.map((days) => -days)]

export interface ComingView {
  rows: MessageView[]
  /** The cursor of the next page; null if there is none. */
  next: string | null
}

/** Statements for one page; usually the first fills it. */
const MOST_STATEMENTS = 4
const LOOKED_AT = 1000

/**
 * Messages of the next 90 days that are not in the ledger yet, earliest first. Another page may follow one with few rows or
 * none. @throws TOO_MANY_AT_ONCE
 */
export function listComing(ctx: ReaderContext, page: ListComing): Promise<ComingView> {
  // A page looks at all contracts that renew on a day, which may be very many.
  return ctx.limits.during('lists', ctx.accountId, () => pageOfComing(ctx, page))
}

async function pageOfComing(ctx: ReaderContext, { limit, cursor }: ListComing): Promise<ComingView> {
  const account = await readReminderAccount(ctx.read, ctx.accountId)
  const rows: MessageView[] = []
  let position = positionOf(cursor, ctx.today)
  for (let statements = 0; statements < MOST_STATEMENTS; statements += 1) {
    const most = statements === 0 ? limit : LOOKED_AT
    const found = await readComing(ctx, account, { ...position, limit: most })
    for (const row of found) {
      if (rows.length >= limit) return { rows, next: cursorOf(position) }
      rows.push(...comingOf(row, account).map((decision) => messageView(row, decision)))
      position = { day: row.day, id: row.contractId }
    }
    if (found.length < most) return { rows, next: null }
  }
  return { rows, next: cursorOf(position) }
}

interface Position {
  day: Day
  id: number
}

const Coming = Candidate.extend({ day: Candidate.shape.renewalDate })
type Coming = z.output<typeof Coming>

/** Contracts and days with a possible message; `plan` decides whether there is one. */
function readComing(
  { read, accountId, today }: ReaderContext,
  account: ReminderAccount,
  { day, id, limit }: Position & { limit: number },
): Promise<Coming[]> {
  const { through } = comingSpan(today)
  return read(
    sql`
    with found as materialized (
      select d.at::date as day, x.id
      from generate_series(${day}::date, ${through}::date, interval '1 day') d(at) cross join lateral (
        select k.id from contracts k
          left join contract_reminder_preferences o on o.account_id = k.account_id and o.contract_id = k.id
        where k.account_id = ${accountId} and ${IS_OPEN} and ${wantsSome(account)}
          and (k.acts_on is null or k.acts_on > d.at::date)
          and k.renewal_date = any(array(select d.at::date + n from unnest(${OFFSETS}::int[]) n))
          and (d.at::date > ${day}::date or k.id > ${id})
        order by k.id limit ${limit}) x
      order by 1, 2 limit ${limit})
    select y.*, found.day from found cross join lateral (
      select ${candidateColumns(account)} from ${SUBJECT_TABLES}
      where k.account_id = ${accountId} and k.id = found.id) y
    order by found.day, found.id`,
    Coming,
    'each time',
  )
}

/** Whether contract `k` has messages turned on for day `d`, by its own preferences or the account's. */
function wantsSome({ settings }: ReminderAccount): Sql {
  const { enableNotifications, reminderDays, followUpDays } = settings
  return sql`
    ${enableNotifications ? sql`o.enable_notifications is not false` : sql`o.enable_notifications`}
    and (k.renewal_date - d.at::date = any(coalesce(o.reminder_days, ${reminderDays}::int[]))
      or d.at::date - k.renewal_date = any(coalesce(o.follow_up_days, ${followUpDays}::int[])))`
}

function comingOf(row: Coming, account: ReminderAccount): Decision[] {
  if (row.day < row.since) return []
  const decisions = plan(subjectOf(row, account, row.history), { from: row.day, through: row.day })
  return decisions.filter(isUpcoming)
}

const Position = z.tuple([z.literal('reminders.coming'), z.string().refine(isDay), z.int().min(0).max(2_147_483_647)])

function positionOf(cursor: string | undefined, today: Day): Position {
  if (cursor === undefined) return { day: today, id: 0 }
  const [, day, id] = decodeCursor(cursor, Position)
  return { day, id }
}

function cursorOf({ day, id }: Position): string {
  return encodeCursor(JSON.stringify(['reminders.coming', day, id] satisfies z.input<typeof Position>))
}
