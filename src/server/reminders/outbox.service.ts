import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, isDay, type Day } from '#shared/domain/day.ts'
import { comingSpan, OUTBOX_DAYS } from '#shared/domain/reminder-forecast.ts'
import { amountFromCents, type Cents } from '#shared/domain/money.ts'
import { plan, type Decision } from '#shared/domain/reminder-plan.ts'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from '#shared/domain/reminder-preferences.ts'
import { AppError } from '#shared/errors.ts'
import type { ListComing, ListReminders } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageStatement, pageView, type PageRow, type PageView } from '#server/db/page.ts'
import { candidateColumns, type Candidate } from './candidates.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { REMINDER_COLUMNS } from './reminder-rows.ts'
import { SUBJECT_TABLES, subjectOf } from './reminder-subject.ts'
import { messageView, reminderView, type MessageView, type ReminderRow, type ReminderView } from './reminder.view.ts'

const BY_DAY: SortKey = { expression: 'r.due_on', type: 'date', id: 'r.id' }
const OFFSETS = [...REMINDER_DAYS, ...FOLLOW_UP_DAYS.map((days) => -days)]

/** The ledger of the last and the next 90 days, the latest first. */
export async function listReminders(
  { read, accountId, today }: ReaderContext,
  { state, ...place }: ListReminders,
): Promise<PageView<ReminderView>> {
  const page = pageOf(BY_DAY, 'desc', place)
  const from = sql`
    from reminders r where r.account_id = ${accountId} ${state ? sql`and r.state = ${state}` : empty}
      and r.due_on between ${addDays(today, -OUTBOX_DAYS)} and ${addDays(today, OUTBOX_DAYS)}`
  const [found] = await read<PageRow<ReminderRow>>(pageStatement({ columns: REMINDER_COLUMNS, from, page }))
  return pageView(found, page.backwards, reminderView)
}

export interface ComingView {
  rows: MessageView[]
  /** Where the next page begins; null where there is none. */
  next: string | null
}

/** What the next 90 days will bring, the earliest first: what the ledger does not have yet. */
export async function listComing(ctx: ReaderContext, { limit, cursor }: ListComing): Promise<ComingView> {
  const account = await readReminderAccount(ctx.read, ctx.accountId)
  const rows: MessageView[] = []
  for (let place = placeOf(cursor, ctx.today); ;) {
    const found = await readComing(ctx, account, { ...place, limit })
    rows.push(...found.flatMap((row) => comingOf(row, account).map((decision) => messageView(row, decision))))
    const last = found.at(-1)
    if (!last || found.length < limit) return { rows, next: null }
    place = { day: last.day, id: last.contractId }
    if (rows.length >= limit) return { rows, next: cursorOf(place) }
  }
}

export interface UnreachableView {
  /** How many there are in all, and what their contracts are worth. */
  total: number
  revenue: number
  customers: {
    customerId: number
    customerName: string
    /** Null where there is none; else mail to it came back. */
    email: string | null
    contracts: number
    revenue: number
    renewalDate: Day
  }[]
}

interface UnreachableRow {
  customerId: number
  customerName: string
  email: string | null
  contracts: number
  cents: Cents
  renewalDate: Day
  total: number
  totalCents: Cents
}

/** Customers without a usable address whose contracts renew within 90 days, the nearest first. */
export async function listUnreachable({ read, accountId, today }: ReaderContext): Promise<UnreachableView> {
  const { from, through } = comingSpan(today)
  const rows = await read<UnreachableRow>(
    sql`
    select c.id as "customerId", c.name as "customerName", c.email, count(*)::int as contracts,
      sum(k.amount_cents)::float8 as cents, min(k.renewal_date) as "renewalDate",
      (count(*) over ())::int as total, (sum(sum(k.amount_cents)) over ())::float8 as "totalCents"
    from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where k.account_id = ${accountId} and ${IS_OPEN} and k.renewal_date between ${from} and ${through}
      and (c.email is null or exists (select from reminders r
        where r.account_id = k.account_id and r.state = 'bounced' and r.address = c.email))
    group by c.id, c.name, c.email order by min(k.renewal_date), c.id limit 50`,
    'each time',
  )
  return {
    total: rows[0]?.total ?? 0,
    revenue: rows[0] ? amountFromCents(rows[0].totalCents) : 0,
    customers: rows.map(({ cents, total: _total, totalCents: _cents, ...row }) => ({
      ...row,
      revenue: amountFromCents(cents),
    })),
  }
}

interface Place {
  day: Day
  id: number
}

interface Coming extends Candidate {
  day: Day
}

/** Contracts with days on which there may be a message; whether there is one, and why not, the plan says. */
function readComing(
  { read, accountId, today }: ReaderContext,
  account: ReminderAccount,
  { day, id, limit }: Place & { limit: number },
): Promise<Coming[]> {
  const { through } = comingSpan(today)
  return read<Coming>(
    sql`
    select x.*, d.at::date as day
    from generate_series(${day}::date, ${through}::date, interval '1 day') d(at) cross join lateral (
      select ${candidateColumns(account)} from ${SUBJECT_TABLES}
      where k.account_id = ${accountId} and ${IS_OPEN}
        and k.renewal_date = any(array(select d.at::date + n from unnest(${OFFSETS}::int[]) n))
        and (d.at::date > ${day}::date or k.id > ${id})
      order by k.id limit ${limit}) x
    order by d.at, x."contractId" limit ${limit}`,
    'each time',
  )
}

const SHOWN: Decision['verdict'][] = ['due', 'no_address', 'opted_out', 'address_bounced']

function comingOf(row: Coming, account: ReminderAccount): Decision[] {
  if (row.day < row.since) return []
  const decisions = plan(subjectOf(row, account, row.history), { from: row.day, today: row.day })
  return decisions.filter(({ verdict }) => SHOWN.includes(verdict))
}

const Place = z.tuple([z.string().refine(isDay), z.int().min(0).max(2_147_483_647)])

function placeOf(cursor: string | undefined, today: Day): Place {
  if (cursor === undefined) return { day: today, id: 0 }
  try {
    const [day, id] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { day, id }
  } catch (error) {
    throw new AppError('CURSOR_INVALID', { cause: error })
  }
}

function cursorOf({ day, id }: Place): string {
  return Buffer.from(JSON.stringify([day, id])).toString('base64url')
}
