import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { CLOSED_REASONS } from '#shared/domain/closed-address.ts'
import { monthOf } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { ListCustomers } from '#shared/schemas/filters.ts'
import type { CreateCustomer, UpdateCustomer } from '#shared/schemas/customers.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { withoutUndefined } from '#server/db/without-undefined.ts'
import { lockRow } from '#server/db/lock-row.ts'
import { isOvertaken, whatDiffers, type Seen } from '#server/db/seen-version.ts'
import { rowOf } from '#server/db/insert.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView, searchStatement } from '#server/db/page.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { isViolation } from '#server/db/violations.ts'
import { planNoticesSoon } from '#server/ledger/schedule.ts'
import { spelledTags } from '#server/tags/tagged-rows.ts'
import { closedReason, ClosedReasonField } from './closed-address.rows.ts'
import { CustomerEntity } from './customer.entity.ts'
import { customerConditions, customersOf } from './customer.rows.ts'
import { customerMatches, matchingCustomers } from './customer.search.ts'
import { moveCustomersToTrash } from './customer.trash.ts'
import { CUSTOMER_COLUMNS, CustomerRow, customerView, type CustomerView } from './customer.view.ts'
import { refuseBeyondQuota, storedRows } from './row-quota.ts'
import { refuseTakenNumber } from './taken-number.ts'

const SORTS: Record<ListCustomers['sort'], SortKey> = {
  name: { name: 'customers.name', expression: 'c.name', type: 'text', id: 'c.id' },
  phone: { name: 'customers.phone', expression: "coalesce(c.phone, '')", type: 'text', id: 'c.id' },
  customerNumber: {
    name: 'customers.customerNumber',
    expression: "coalesce(c.customer_number, '')",
    type: 'text',
    id: 'c.id',
  },
  createdAt: { name: 'customers.createdAt', expression: 'c.created_at', type: 'timestamptz', id: 'c.id' },
}

const CustomerPage = pageRow(CustomerRow)

/** A page of customers with the count of all that match; the search is for any of their fields and contacts, or for names alone. */
export async function listCustomers({ read, accountId, caller }: ReaderContext, filter: ListCustomers) {
  const page = pageOf(SORTS[filter.sort], filter.direction, filter)
  const { search, searchBy } = filter
  const conditions = customerConditions(accountId, filter, caller.timeZone)
  const from = sql`${customersOf(accountId)} ${conditions}`
  const parts = { columns: CUSTOMER_COLUMNS, page, from }
  const statement = search
    ? searchStatement({
        ...parts,
        ...searchParts(accountId, parts, { text: search, conditions, nameAlone: searchBy === 'name' }),
      })
    : pageStatement({ ...parts, total: conditions === empty ? customerCount(accountId) : undefined })
  const [found] = await read(statement, CustomerPage)
  return pageView(found, page, customerView)
}

/** The figures above the customers table, and the `month` that "new this month" counts, in the account's time zone. */
export async function customerFigures({ read, accountId, today, caller }: ReaderContext) {
  const month = monthOf(today)
  const isNew = customerConditions(accountId, { addedIn: month }, caller.timeZone)
  const statement = sql`
    select total, (select count(*)::int ${customersOf(accountId)} ${isNew}) as "newThisMonth",
      (select count(distinct customer_id)::int from contracts where account_id = ${accountId} and ${NOT_DELETED})
        as "withContracts",
      coalesce(round((select sum(contracts)::numeric from contract_totals where account_id = ${accountId})
        / nullif(total, 0), 1), 0)::float8 as "averageContracts"
    from (${customerCount(accountId)}) counted`
  const [figures] = await read(statement, CustomerFigures)
  return { total: 0, newThisMonth: 0, withContracts: 0, averageContracts: 0, ...figures, month }
}

/** How many customers the account has, from the stored totals: a statement with one row, `total`. */
export function customerCount(accountId: number): Sql {
  return sql`select coalesce(sum(customers), 0)::int as total from customer_totals where account_id = ${accountId}`
}

const CustomerFigures = z.object({
  total: z.int(),
  newThisMonth: z.int(),
  withContracts: z.int(),
  averageContracts: z.number(),
})

/** @throws CUSTOMER_NOT_FOUND, also for somebody else's. */
export async function getCustomer({ read, accountId }: ReaderContext, { id }: ById): Promise<CustomerView> {
  const [row] = await read(sql`select ${CUSTOMER_COLUMNS} ${customersOf(accountId)} and c.id = ${id}`, CustomerRow)
  if (!row) throw new AppError('CUSTOMER_NOT_FOUND')
  return customerView(row)
}

/** A new row, with how many customers and contracts the account had before. */
const CreatedCustomerRow = CustomerRow.extend({ stored: z.int() })

/** @throws CUSTOMER_NUMBER_TAKEN, ACCOUNT_FULL, TAGS_FULL */
export async function createCustomer(ctx: SubscriberContext, fields: CreateCustomer): Promise<CustomerView> {
  const { write, accountId } = ctx
  const row = { accountId, ...fields, tags: await spelledTags(ctx, fields.tags) }
  const statement = sql`
    with c as (insert into customers ${rowOf(CustomerEntity, row)} returning *)
    select ${CUSTOMER_COLUMNS}, (${storedRows(accountId)}) as stored from c`
  const [created] = await write(statement, CreatedCustomerRow).catch(refuseTakenNumber)
  if (!created) throw new Error('an insert returns its row')
  refuseBeyondQuota(ctx, created.stored + 1)
  return customerView(created)
}

/**
 * Changes the fields that were sent, if the customer is still as it was seen.
 * @throws CUSTOMER_NOT_FOUND, CUSTOMER_CHANGED, CUSTOMER_NUMBER_TAKEN, CUSTOMER_MAIL_CLOSED, TAGS_FULL
 */
export async function updateCustomer(
  ctx: SubscriberContext,
  { id, ...changes }: UpdateCustomer,
  seen: Seen = {},
): Promise<CustomerView> {
  // Tags are locked before the customer, as whoever renames them does.
  const tags = changes.tags && (await spelledTags(ctx, changes.tags))
  if (seen.ifVersion) await lockRow(ctx, 'customers', id)
  const customer = await ctx.em.findOne(CustomerEntity, { id, accountId: ctx.accountId }, { refresh: true })
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  if (isOvertaken(customer, seen))
    throw new AppError('CUSTOMER_CHANGED', { details: whatDiffers(await getCustomer(ctx, { id }), changes) })
  await refuseToOpen(ctx, { customer, changes })
  ctx.em.assign(customer, withoutUndefined({ ...changes, tags }))
  await ctx.em.flush().catch(refuseTakenNumber)
  if (tags) await planNoticesSoon(ctx)
  return getCustomer(ctx, { id })
}

/** Refuses to turn notifications on while the address is closed. With another address they can be. */
async function refuseToOpen({ read, accountId }: SubscriberContext, { customer, changes }: Changing): Promise<void> {
  const { email = customer.email, sendNotifications } = changes
  if (!sendNotifications || email?.toLowerCase() !== customer.email?.toLowerCase()) return
  const [row] = await read(
    sql`select ${closedReason(sql`${accountId}::int`, sql`mailbox_of(${email}::text)`)} as reason`,
    ClosedRow,
  )
  if (row?.reason) throw new AppError('CUSTOMER_MAIL_CLOSED', { values: { reason: CLOSED_REASONS[row.reason] } })
}

const ClosedRow = z.object({ reason: ClosedReasonField })

interface Changing {
  customer: { email?: string | null | undefined }
  changes: Omit<UpdateCustomer, 'id'>
}

/**
 * Moves a customer to the trash whose contracts, if there are any, are there already.
 * @throws CUSTOMER_NOT_FOUND, CUSTOMER_HAS_CONTRACTS
 */
export async function removeCustomer(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const moved = await moveCustomersToTrash(ctx, sql`c.id = ${id}`).catch(refuseWithContracts)
  if (moved === 0) throw new AppError('CUSTOMER_NOT_FOUND')
}

function refuseWithContracts(error: unknown): never {
  if (isViolation(error, 'foreign key')) throw new AppError('CUSTOMER_HAS_CONTRACTS', { cause: error })
  throw error
}

interface Searched {
  text: string
  nameAlone: boolean
  /** Conditions on `c`, or nothing. */
  conditions: Sql
}

function searchParts(accountId: number, { from }: { from: Sql }, { text, nameAlone, conditions }: Searched) {
  // The limit keeps the planner from reading all customers to find these.
  const few = sql`from matches cross join lateral
    (select * from customers where account_id = ${accountId} and id = matches.id and ${NOT_DELETED} limit 1) c where true ${conditions}`
  return {
    matches: matchingCustomers(accountId, text, { nameAlone }),
    few,
    many: sql`${from} and ${customerMatches(text, { nameAlone })}`,
    total:
      conditions === empty
        ? sql`select count(*)::int as total from matches`
        : sql`select count(*)::int as total ${few}`,
  }
}
