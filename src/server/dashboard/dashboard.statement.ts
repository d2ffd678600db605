import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import {
  attentionUntil,
  expiringWindow,
  laterThisMonthWindow,
  noticeWindow,
  overdueWindow,
} from '#shared/domain/contract-term.ts'
import type { Day, DaySpan } from '#shared/domain/day.ts'
import { contractsOf, EARNS_REVENUE, IS_OPEN, isNoticeDue } from '#server/contracts/contract.rows.ts'
import { MANUAL_GOES_OUT_AT, wasRemindedOn } from '#server/reminders/reminder.view.ts'
import { CONTRACT_COLUMNS, ContractRow } from '#server/contracts/contract.view.ts'
import { instant } from '#server/db/columns.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { customerCount } from '#server/customers/customers.service.ts'

/** Rows of each list, as a literal, because with a parameter the planner would sort all of them. */
export type AttentionRows = 50 | 100

/** The totals of an account's contracts of one status and cycle. */
const StatusTotal = z.object({
  status: ContractRow.shape.status,
  cycle: ContractRow.shape.renewalCycle,
  contracts: z.int(),
  /** As text: a JSON number would be rounded when it is read. */
  amountCents: z.string(),
})
export type StatusTotal = z.output<typeof StatusTotal>

/** What started in a month: all contracts, and the amounts of those that are active. */
const StartMonth = z.object({
  /** 'YYYY-MM' */
  month: z.string(),
  contracts: z.int(),
  activeCents: z.string(),
})

const AttentionRow = z.object({
  ...ContractRow.shape,
  /** Whether the customer got an email today, by hand or automatically. */
  isReminded: z.boolean(),
  /** When a reminder planned by hand is sent. */
  reminderGoesOutAt: instant.nullable(),
})

export const DashboardRow = z.object({
  totals: z.array(StatusTotal),
  months: z.array(StartMonth),
  customers: z.int(),
  /** Open contracts whose renewal date has passed, and those that are due from today on. */
  overdue: z.int(),
  expiring: z.int(),
  /** The value of the open contracts that are due from today on. */
  expiringCents: z.string(),
  /** Contracts whose last day for notice is near, and how many of them renew after the days above. */
  noticeDue: z.int(),
  noticeDueLater: z.int(),
  /** What starts later this month, which the month's totals include. */
  laterThisMonth: z.object({ contracts: z.int(), activeCents: z.string() }),
  overdueRows: z.array(AttentionRow),
  noticeRows: z.array(AttentionRow),
  expiringRows: z.array(AttentionRow),
  /** The import of the sample data, until it is removed. */
  sampleImportId: z.int().nullable(),
  /** Whether rows have been imported from a file. */
  hasImported: z.boolean(),
  companyName: z.string().nullable(),
})
export type DashboardRow = z.output<typeof DashboardRow>

interface DashboardSpan {
  today: Day
  /** The first day of the months. */
  since: Day
  rows: AttentionRows
}

/** The whole dashboard in one statement: totals kept by triggers, and the contracts requiring attention. */
export function dashboardStatement(accountId: number, { today, since, rows }: DashboardSpan): Sql {
  return sql`
    select (${rowsOf(statusTotals(accountId))}) as totals, (${rowsOf(startMonths(accountId, since, today))}) as months,
      (${customerCount(accountId)}) as customers, due.overdue, due.expiring, due."expiringCents",
      notice."noticeDue", notice."noticeDueLater",
      (${laterThisMonth(accountId, today)}) as "laterThisMonth",
      (${rowsOf(attention(accountId, today, { ...renewing(overdueWindow(today)), rows }))}) as "overdueRows",
      (${rowsOf(attention(accountId, today, { ...noticeToGive(today), rows }))}) as "noticeRows",
      (${rowsOf(attention(accountId, today, { ...renewing(expiringWindow(today)), rows }))}) as "expiringRows",
      (select i.id from imports i where ${isSample(accountId)}) as "sampleImportId",
      exists (select from imports i where i.account_id = ${accountId} and not i.is_sample
        and i.created + i.created_customers > 0) as "hasImported",
      (select name from companies where account_id = ${accountId}) as "companyName"
    from (${dueSoon(accountId, today)}) due, (${noticeDue(accountId, today)}) notice`
}

function isSample(accountId: number): Sql {
  return sql`i.account_id = ${accountId} and i.is_sample and i.undone_at is null`
}

function rowsOf(rows: Sql): Sql {
  return sql`select coalesce(json_agg(r), '[]') from (${rows}) r`
}

function statusTotals(accountId: number): Sql {
  return sql`
    select status, renewal_cycle as cycle, contracts, amount_cents::text as "amountCents"
    from contract_totals where account_id = ${accountId}`
}

function startMonths(accountId: number, since: Day, today: Day): Sql {
  return sql`
    select to_char(start_month, 'YYYY-MM') as month, contracts, active_cents::text as "activeCents"
    from contract_start_months where account_id = ${accountId} and start_month between ${since} and ${today}`
}

function dueSoon(accountId: number, today: Day): Sql {
  return sql`
    select coalesce(sum(contracts) filter (where renewal_date < ${today}), 0)::int as overdue,
      coalesce(sum(contracts) filter (where renewal_date >= ${today}), 0)::int as expiring,
      coalesce(sum(amount_cents) filter (where renewal_date >= ${today}), 0)::text as "expiringCents"
    from contract_due_days where account_id = ${accountId} and renewal_date <= ${attentionUntil(today)}`
}

// Few contracts start later; very many may have started.
function laterThisMonth(accountId: number, today: Day): Sql {
  const { from, through } = laterThisMonthWindow(today)
  return sql`
    select json_build_object('contracts', count(*),
      'activeCents', coalesce(sum(amount_cents) filter (where ${EARNS_REVENUE}), 0)::text)
    from contracts where account_id = ${accountId} and ${NOT_DELETED} and start_date between ${from} and ${through}`
}

function noticeDue(accountId: number, today: Day): Sql {
  return sql`
    select count(*)::int as "noticeDue",
      (count(*) filter (where k.renewal_date > ${attentionUntil(today)}))::int as "noticeDueLater"
    ${contractsOf(accountId)} and ${isNoticeDue(noticeWindow(today))}`
}

/** Which contracts a list has, and the day by which they are urgent. */
interface Urgency {
  condition: Sql
  by: 'k.renewal_date' | 'k.notice_date'
}

function renewing({ from, through }: DaySpan): Urgency {
  return { condition: sql`${IS_OPEN} and k.renewal_date between ${from} and ${through}`, by: 'k.renewal_date' }
}

function noticeToGive(today: Day): Urgency {
  return { condition: isNoticeDue(noticeWindow(today)), by: 'k.notice_date' }
}

function attention(accountId: number, today: Day, { condition, by, rows }: Urgency & { rows: AttentionRows }): Sql {
  return sql`
    select ${CONTRACT_COLUMNS}, ${wasRemindedOn(today)} as "isReminded",
      ${MANUAL_GOES_OUT_AT} as "reminderGoesOutAt"
    ${contractsOf(accountId)} and ${condition} order by ${raw(by)}, k.id ${raw(`limit ${rows}`)}`
}
