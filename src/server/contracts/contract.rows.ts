import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { EARNING_STATUS, OPEN_STATUSES } from '#shared/domain/contract-status.ts'
import { monthEndWindow, overdueWindow, renewalWindow, startedWindow } from '#shared/domain/contract-term.ts'
import type { Day, DaySpan } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import type { ContractFilter } from '#shared/schemas/filters.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { hasTags } from '#server/tags/tagged-rows.ts'

/** An account's contracts; conditions on `k` may follow. */
export function contractsOf(accountId: number): Sql {
  return sql`from contracts k where k.account_id = ${accountId} and k.${NOT_DELETED}`
}

/**
 * Like `isOpen` in the domain, of contracts that are not in the trash; spelled out, because only then PostgreSQL uses the
 * index of open contracts.
 */
export const IS_OPEN = raw(
  `k.status in (${OPEN_STATUSES.map((status) => `'${status}'`).join(', ')}) and k.deleted_at is null`,
)

/** Like `earnsRevenue` in the domain. */
export const EARNS_REVENUE = raw(`status = '${EARNING_STATUS}'`)

/** A filter, and the ids that it is limited to. */
export interface NamedContracts extends ContractFilter {
  ids?: readonly number[] | undefined
}

/** Conditions on `k`: the whole filter except the search. */
export function contractConditions(accountId: number, filter: NamedContracts, today: Day): Sql {
  const { ids, customerId, status, cycle, noticeWithin, startedIn, noEmail, noPdf, renews, tag } = filter
  return join(
    [
      ids ? sql`and k.id = any(${[...ids]}::int[])` : empty,
      customerId === undefined ? empty : sql`and k.customer_id = ${customerId}`,
      status ? sql`and k.status = ${status}` : empty,
      cycle ? sql`and k.renewal_cycle = ${cycle}` : empty,
      ...dueWindows(filter, today).map((window) => sql`and ${IS_OPEN} and ${within('k.renewal_date', window)}`),
      noticeWithin === undefined ? empty : sql`and ${isNoticeDue(renewalWindow(today, noticeWithin))}`,
      startedIn ? sql`and ${within('k.start_date', startedWindow(startedIn, today))}` : empty,
      noEmail ? sql`and ${HAS_NO_EMAIL}` : empty,
      noPdf ? sql`and k.pdf_path is null` : empty,
      renews ? sql`and k.renews = ${renews}` : empty,
      ...bounds(filter),
      tag ? sql`and ${hasTags('k', accountId, tag)}` : empty,
    ],
    ' ',
  )
}

function bounds({ renewalFrom, renewalThrough, amountFrom, amountThrough }: ContractFilter): Sql[] {
  return [
    renewalFrom ? sql`and k.renewal_date >= ${renewalFrom}` : empty,
    renewalThrough ? sql`and k.renewal_date <= ${renewalThrough}` : empty,
    amountFrom === undefined ? empty : sql`and k.amount_cents >= ${centsFromAmount(amountFrom)}`,
    amountThrough === undefined ? empty : sql`and k.amount_cents <= ${centsFromAmount(amountThrough)}`,
  ]
}

const HAS_NO_EMAIL = sql`
  exists (select from customers c where c.account_id = k.account_id and c.id = k.customer_id and c.email is null)`

/** The windows that a filter sets for the renewal dates of open contracts. */
export function dueWindows({ overdue, expiring, renewsWithin }: ContractFilter, today: Day): DaySpan[] {
  const windows: DaySpan[] = []
  if (overdue) windows.push(overdueWindow(today))
  if (expiring) windows.push(monthEndWindow(today))
  if (renewsWithin !== undefined) windows.push(renewalWindow(today, renewsWithin))
  return windows
}

/** Condition on `k`: a contract that continues unless notice is given, with the last day for notice in the window. */
export function isNoticeDue(window: DaySpan): Sql {
  return sql`${IS_OPEN} and k.ends_on is null and ${within('k.notice_date', window)}`
}

function within(column: string, { from, through }: DaySpan): Sql {
  return sql`${raw(column)} between ${from} and ${through}`
}
