import sql, { empty } from 'sql-template-tag'
import type { Term } from '#shared/domain/contract-term.ts'
import { addDays, type Day } from '#shared/domain/day.ts'
import { expectedSkip } from '#shared/domain/reminder-delivery.ts'
import { comingSpan, OUTBOX_DAYS } from '#shared/domain/reminder-forecast.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import { REMINDER_REASONS, type ListReminders } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageStatement, pageView, type PageRow, type PageView } from '#server/db/page.ts'
import { isStopped } from './mail-stops.service.ts'
import { hasBounced, REMINDER_COLUMNS } from './reminder-rows.ts'
import { reminderView, type ReminderRow, type ReminderView } from './reminder.view.ts'

const BY_DAY: SortKey = { expression: 'r.due_on', type: 'date', id: 'r.id' }

/** While a message waits, what its contract has become since may keep it from being sent. */
const LISTED_COLUMNS = sql`${REMINDER_COLUMNS}, case when r.state = 'planned' then (
    select json_build_object('renewalDate', k.renewal_date, 'status', k.status)
    from contracts k where k.account_id = r.account_id and k.id = r.contract_id) end as "contractNow",
  r.state = 'planned' and r.recipient = 'customer' and ${isStopped(sql`r.account_id`)} as "isMailStopped"`

interface ListedRow extends ReminderRow {
  /** Null where nothing waits, or the contract was deleted. */
  contractNow: Term | null
  isMailStopped: boolean
}

export interface ListedReminderView extends ReminderView {
  /** Why it would not be sent when its time comes. */
  obstacle: string | null
}

/** The ledger of the last and the next 90 days, the latest first. */
export async function listReminders(
  { read, accountId, today }: ReaderContext,
  { state, ...place }: ListReminders,
): Promise<PageView<ListedReminderView>> {
  const page = pageOf(BY_DAY, 'desc', place)
  const from = sql`
    from reminders r where r.account_id = ${accountId} ${state ? sql`and r.state = ${state}` : empty}
      and r.due_on between ${addDays(today, -OUTBOX_DAYS)} and ${addDays(today, OUTBOX_DAYS)}`
  const [found] = await read<PageRow<ListedRow>>(pageStatement({ columns: LISTED_COLUMNS, from, page }))
  return pageView(found, page, ({ contractNow, isMailStopped, ...row }) => {
    const reason = contractNow && expectedSkip(row, { contract: contractNow, isMailStopped })
    return { ...reminderView(row), obstacle: reason ? REMINDER_REASONS[reason] : null }
  })
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
  cents: string
  renewalDate: Day
  total: number
  totalCents: string
}

/** Customers without a usable address whose contracts renew within 90 days, the nearest first. */
export async function listUnreachable({ read, accountId, today }: ReaderContext): Promise<UnreachableView> {
  const { from, through } = comingSpan(today)
  const rows = await read<UnreachableRow>(
    sql`
    select c.id as "customerId", c.name as "customerName", c.email, count(*)::int as contracts,
      sum(k.amount_cents)::text as cents, min(k.renewal_date) as "renewalDate",
      (count(*) over ())::int as total, (sum(sum(k.amount_cents)) over ())::text as "totalCents"
    from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where k.account_id = ${accountId} and ${IS_OPEN} and k.renewal_date between ${from} and ${through}
      and (c.email is null or ${hasBounced(sql`k.account_id`, sql`c.email`)})
    group by c.id, c.name, c.email order by min(k.renewal_date), c.id limit 50`,
    'each time',
  )
  return {
    total: rows[0]?.total ?? 0,
    revenue: amountFromSum(BigInt(rows[0]?.totalCents ?? 0)),
    customers: rows.map(({ cents, total: _total, totalCents: _cents, ...row }) => ({
      ...row,
      revenue: amountFromSum(BigInt(cents)),
    })),
  }
}
