import { ForeignKeyConstraintViolationException } from '@mikro-orm/core'
import sql from 'sql-template-tag'
import { monthEndWindow } from '#shared/domain/contract-term.ts'
import { amountFromCents, type Cents } from '#shared/domain/money.ts'
import { AppError } from '#shared/errors.ts'
import type { CreateContract, ListContracts, UpdateContract } from '#shared/schemas/contracts.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { given } from '#server/db/given.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageStatement, pageView, type PageRow } from '#server/db/page.ts'
import { ContractEntity } from './contract.entity.ts'
import { CONTRACT_COLUMNS, contractConditions, contractsOf, IS_OPEN } from './contract.rows.ts'
import { contractView, type ContractRow, type ContractView } from './contract.view.ts'

const AS_ADDED: SortKey = { expression: 'k.id', type: 'int', id: 'k.id' }
const SORTS: Record<NonNullable<ListContracts['sort']>, SortKey> = {
  amount: { expression: 'k.amount_cents', type: 'bigint', id: 'k.id' },
  startDate: { expression: 'k.start_date', type: 'date', id: 'k.id' },
  renewalDate: { expression: 'k.renewal_date', type: 'date', id: 'k.id' },
}

/** A page of contracts with the count of all that the filter lets through. */
export async function listContracts({ read, accountId, today }: ReaderContext, filter: ListContracts) {
  const page = pageOf(filter.sort ? SORTS[filter.sort] : AS_ADDED, filter.direction, filter)
  const from = sql`${contractsOf(accountId)} ${contractConditions(filter, today)}`
  const [found] = await read<PageRow<ContractRow>>(pageStatement({ columns: CONTRACT_COLUMNS, from, page }))
  return pageView(found, page.backwards, (row) => contractView(row, today))
}

/** The figures above the contracts table; "expiring" runs to the end of this month (decisions, "Time"). */
export async function contractFigures({ read, accountId, today }: ReaderContext): Promise<ContractFigures> {
  const window = monthEndWindow(today)
  const [row] = await read<Omit<ContractFigures, 'revenue'> & { revenueCents: Cents }>(sql`
    select count(*)::int as total,
      count(*) filter (where k.status = 'active')::int as active,
      coalesce(sum(k.amount_cents) filter (where k.status = 'active'), 0)::float8 as "revenueCents",
      count(*) filter (where ${IS_OPEN} and k.renewal_date between ${window.from} and ${window.to})::int as expiring
    from contracts k where k.account_id = ${accountId}`)
  if (!row) return { total: 0, active: 0, expiring: 0, revenue: 0 }
  return { total: row.total, active: row.active, expiring: row.expiring, revenue: amountFromCents(row.revenueCents) }
}

export interface ContractFigures {
  total: number
  active: number
  expiring: number
  /** US dollars: the sum of the active contracts' amounts. */
  revenue: number
}

/** @throws CONTRACT_NOT_FOUND, also for somebody else's. */
export async function getContract({ read, accountId, today }: ReaderContext, { id }: ById): Promise<ContractView> {
  const [row] = await read<ContractRow>(sql`select ${CONTRACT_COLUMNS} ${contractsOf(accountId)} and k.id = ${id}`)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  return contractView(row, today)
}

/** @throws CUSTOMER_NOT_FOUND where the customer is not the account's. */
export async function createContract(ctx: SubscriberContext, input: CreateContract): Promise<ContractView> {
  const { amount, ...fields } = input
  const contract = ctx.em.create(ContractEntity, { ...fields, amountCents: amount, accountId: ctx.accountId })
  await flushContract(ctx)
  return getContract(ctx, contract)
}

/** Changes the fields that are given. @throws CONTRACT_NOT_FOUND, CUSTOMER_NOT_FOUND, RENEWAL_BEFORE_START */
export async function updateContract(ctx: SubscriberContext, input: UpdateContract): Promise<ContractView> {
  const { id, amount, ...changes } = input
  const contract = await ctx.em.findOne(ContractEntity, { id, accountId: ctx.accountId })
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  ctx.em.assign(contract, given({ ...changes, amountCents: amount }))
  if (contract.renewalDate < contract.startDate) throw new AppError('RENEWAL_BEFORE_START')
  await flushContract(ctx)
  return getContract(ctx, { id })
}

/** @throws CONTRACT_NOT_FOUND, also for somebody else's. */
export async function removeContract({ em, accountId }: SubscriberContext, { id }: ById): Promise<void> {
  const removed = await em.nativeDelete(ContractEntity, { id, accountId })
  if (removed === 0) throw new AppError('CONTRACT_NOT_FOUND')
}

async function flushContract({ em }: SubscriberContext) {
  try {
    await em.flush()
  } catch (error) {
    if (error instanceof ForeignKeyConstraintViolationException)
      throw new AppError('CUSTOMER_NOT_FOUND', { cause: error })
    throw error
  }
}
