import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isCalendarSpan } from '#shared/domain/calendar.ts'
import { endOfMonth, startOfMonth, type Day, type DaySpan } from '#shared/domain/day.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import { AppError } from '#shared/errors.ts'
import type { CalendarDays } from '#shared/schemas/calendar.ts'
import type { ReaderContext } from '#server/context.ts'
import { contractsOf, IS_OPEN, isNoticeDue } from './contract.rows.ts'
import { openContractsDue } from './contract.totals.ts'
import { CONTRACT_COLUMNS, ContractRow, contractView, type ContractView } from './contract.view.ts'

/** A day with something on it. Amounts are US dollars. */
export interface CalendarDay {
  day: Day
  /** Open contracts that renew or end on it. */
  renewals: number
  renewalAmount: number
  /** Open contracts with no end decided for which it is the last day for notice. */
  notices: number
  noticeAmount: number
}

const CalendarRow = z.object({
  day: ContractRow.shape.renewalDate,
  renewals: z.int(),
  renewalCents: z.string(),
  notices: z.int(),
  noticeCents: z.string(),
})

/** How many contracts renew, or need notice, on each day, without the days on which none does. @throws CALENDAR_DAYS */
export async function readCalendar({ read, accountId, today }: ReaderContext, input: CalendarDays) {
  const span = spanOf(input, today)
  const rows = await read(calendarStatement(accountId, span), CalendarRow)
  return {
    ...span,
    days: rows.map(({ renewalCents, noticeCents, ...row }): CalendarDay => ({
      day: row.day,
      renewals: row.renewals,
      renewalAmount: amountFromSum(BigInt(renewalCents)),
      notices: row.notices,
      noticeAmount: amountFromSum(BigInt(noticeCents)),
    })),
  }
}

// A month of a small business has no more; of a larger one the days have figures.
const FIRST_CONTRACTS = 100

/** The contracts that renew, and those that need notice, in these days. */
export interface CalendarContracts {
  renewalTotal: number
  noticeTotal: number
  /** The first hundred of each, by day. */
  renewals: ContractView[]
  notices: ContractView[]
}

const ContractsRow = z.object({
  renewalTotal: z.int(),
  noticeTotal: z.int(),
  renewals: z.array(ContractRow),
  notices: z.array(ContractRow),
})

/** @throws CALENDAR_DAYS */
export async function calendarContracts(
  { read, accountId, today }: ReaderContext,
  input: CalendarDays,
): Promise<CalendarContracts> {
  const span = spanOf(input, today)
  const renewing = sql`${contractsOf(accountId)} and ${renewsIn(span)}`
  const toGive = sql`${contractsOf(accountId)} and ${isNoticeDue(span)}`
  const statement = sql`
    select (${openContractsDue(accountId, span)}) as "renewalTotal",
      (select count(*)::int ${toGive}) as "noticeTotal",
      (${rowsOf(sql`select ${CONTRACT_COLUMNS} ${renewing} order by k.renewal_date, k.id limit ${FIRST_CONTRACTS}`)})
        as renewals,
      (${rowsOf(sql`select ${CONTRACT_COLUMNS} ${toGive} order by k.notice_date, k.id limit ${FIRST_CONTRACTS}`)})
        as notices`
  const [row] = await read(statement, ContractsRow)
  if (!row) throw new Error('a statement without a table answers one row')
  return {
    renewalTotal: row.renewalTotal,
    noticeTotal: row.noticeTotal,
    renewals: row.renewals.map((contract) => contractView(contract, today)),
    notices: row.notices.map((contract) => contractView(contract, today)),
  }
}

function spanOf({ from: first, through: last }: CalendarDays, today: Day): DaySpan {
  const from = first ?? startOfMonth(today)
  const span = { from, through: last ?? endOfMonth(from) }
  if (!isCalendarSpan(span)) throw new AppError('CALENDAR_DAYS')
  return span
}

/** Renewals from the sums that are kept for each day, notices from their index. */
function calendarStatement(accountId: number, span: DaySpan): Sql {
  return sql`
    select coalesce(r.day, n.day) as day,
      coalesce(r.contracts, 0)::int as renewals, coalesce(r.cents, 0)::text as "renewalCents",
      coalesce(n.contracts, 0)::int as notices, coalesce(n.cents, 0)::text as "noticeCents"
    from (select renewal_date as day, contracts, amount_cents as cents from contract_due_days
        where account_id = ${accountId} and renewal_date between ${span.from} and ${span.through} and contracts > 0) r
      full join (select k.notice_date as day, count(*) as contracts, sum(k.amount_cents) as cents
        ${contractsOf(accountId)} and ${isNoticeDue(span)} group by k.notice_date) n on n.day = r.day
    order by 1`
}

function renewsIn({ from, through }: DaySpan): Sql {
  return sql`${IS_OPEN} and k.renewal_date between ${from} and ${through}`
}

function rowsOf(rows: Sql): Sql {
  return sql`select coalesce(json_agg(r), '[]') from (${rows}) r`
}
