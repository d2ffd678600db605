import { UniqueConstraintViolationException, ForeignKeyConstraintViolationException } from '@mikro-orm/core'
import sql, { empty, type Sql } from 'sql-template-tag'
import { startOfMonth } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { CreateCustomer, ListCustomers, UpdateCustomer } from '#shared/schemas/customers.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { given } from '#server/db/given.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageStatement, pageView, type PageRow } from '#server/db/page.ts'
import { likePattern } from '#server/db/search.ts'
import { CustomerEntity } from './customer.entity.ts'
import { customerView, type CustomerRow, type CustomerView } from './customer.view.ts'

const COLUMNS = sql`
  c.id, c.name, c.address, c.phone, c.customer_number as "customerNumber", c.email,
  c.send_notifications as "sendNotifications", c.created_at as "createdAt"`

const SORTS: Record<ListCustomers['sort'], SortKey> = {
  name: { expression: 'c.name', type: 'text', id: 'c.id' },
  phone: { expression: "coalesce(c.phone, '')", type: 'text', id: 'c.id' },
  customerNumber: { expression: "coalesce(c.customer_number, '')", type: 'text', id: 'c.id' },
  createdAt: { expression: 'c.created_at', type: 'timestamptz', id: 'c.id' },
}

/** A page of the directory with the count of all that match; search looks into name, phone and customer number. */
export async function listCustomers({ read, accountId }: ReaderContext, filter: ListCustomers) {
  const page = pageOf(SORTS[filter.sort], filter.direction, filter)
  const from = sql`from customers c where c.account_id = ${accountId} ${matching(filter.search)}`
  const [found] = await read<PageRow<CustomerRow>>(pageStatement({ columns: COLUMNS, from, page }))
  return pageView(found, page.backwards, customerView)
}

/** The figures above the customers table. "New this month" counts from the 1st in the account's time zone. */
export async function customerFigures({ read, accountId, today, caller }: ReaderContext) {
  const [figures] = await read<CustomerFigures>(sql`
    select count(*)::int as total,
      count(*) filter (where c.created_at >=
        ${startOfMonth(today)}::date::timestamp at time zone ${caller.timeZone})::int as "newThisMonth",
      count(*) filter (where k.contracts > 0)::int as "withContracts",
      coalesce(round(avg(coalesce(k.contracts, 0)), 1), 0)::float8 as "averageContracts"
    from customers c
    left join (select customer_id, count(*)::int as contracts from contracts where account_id = ${accountId}
      group by customer_id) k on k.customer_id = c.id
    where c.account_id = ${accountId}`)
  return figures ?? { total: 0, newThisMonth: 0, withContracts: 0, averageContracts: 0 }
}

interface CustomerFigures {
  total: number
  newThisMonth: number
  withContracts: number
  averageContracts: number
}

/** @throws CUSTOMER_NOT_FOUND, also for somebody else's. */
export async function getCustomer({ read, accountId }: ReaderContext, { id }: ById): Promise<CustomerView> {
  const [row] = await read<CustomerRow>(
    sql`select ${COLUMNS} from customers c where c.account_id = ${accountId} and c.id = ${id}`,
  )
  if (!row) throw new AppError('CUSTOMER_NOT_FOUND')
  return customerView(row)
}

/** @throws CUSTOMER_NUMBER_TAKEN where another customer of the account has the number. */
export async function createCustomer(ctx: SubscriberContext, input: CreateCustomer): Promise<CustomerView> {
  const customer = ctx.em.create(CustomerEntity, { ...input, accountId: ctx.accountId })
  await flushCustomer(ctx)
  return getCustomer(ctx, customer)
}

/** Changes the fields that are given. @throws CUSTOMER_NOT_FOUND, CUSTOMER_NUMBER_TAKEN */
export async function updateCustomer(
  ctx: SubscriberContext,
  { id, ...changes }: UpdateCustomer,
): Promise<CustomerView> {
  const customer = await ctx.em.findOne(CustomerEntity, { id, accountId: ctx.accountId })
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
  ctx.em.assign(customer, given(changes))
  await flushCustomer(ctx)
  return getCustomer(ctx, { id })
}

/** A customer with contracts stays (decisions, "Deleting"). @throws CUSTOMER_NOT_FOUND, CUSTOMER_HAS_CONTRACTS */
export async function removeCustomer({ em, accountId }: SubscriberContext, { id }: ById): Promise<void> {
  try {
    const removed = await em.nativeDelete(CustomerEntity, { id, accountId })
    if (removed === 0) throw new AppError('CUSTOMER_NOT_FOUND')
  } catch (error) {
    if (error instanceof ForeignKeyConstraintViolationException) {
      throw new AppError('CUSTOMER_HAS_CONTRACTS', { cause: error })
    }
    throw error
  }
}

function matching(search: string | undefined): Sql {
  if (!search) return empty
  const pattern = likePattern(search)
  return sql`and (c.name ilike ${pattern} or c.phone ilike ${pattern} or c.customer_number ilike ${pattern})`
}

async function flushCustomer({ em }: SubscriberContext) {
  try {
    await em.flush()
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw new AppError('CUSTOMER_NUMBER_TAKEN', { cause: error })
    throw error
  }
}
