import { ForeignKeyConstraintViolationException } from '@mikro-orm/core'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import { monthEndWindow } from '#shared/domain/contract-term.ts'
import { remindersStartOver } from '#shared/domain/replanning.ts'
import type { Day } from '#shared/domain/day.ts'
import { amountFromCents, amountFromSum, type Cents } from '#shared/domain/money.ts'
import { UNDECIDED } from '#shared/domain/settled-contract.ts'
import { AppError, REFUSALS } from '#shared/errors.ts'
import type { ListContracts } from '#shared/schemas/filters.ts'
import type { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { customerMatches, matchingCustomers } from '#server/customers/customer.search.ts'
import { refuseBeyondQuota, storedRows } from '#server/customers/row-quota.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Planning } from '#server/db/database.ts'
import { withoutUndefined } from '#server/db/without-undefined.ts'
import { lockRow } from '#server/db/lock-row.ts'
import { isOvertaken, whatDiffers, type Seen } from '#server/db/seen-version.ts'
import { rowOf } from '#server/db/insert.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView, searchStatement } from '#server/db/page.ts'
import { isViolation } from '#server/db/violations.ts'
import { planningOfNew, planSoon } from '#server/ledger/schedule.ts'
import { spelledTags } from '#server/tags/tagged-rows.ts'
import { settledRenewalDate } from './settled-renewal-date.ts'
import { ContractTermEntity } from './contract-history.entity.ts'
import { ContractEntity } from './contract.entity.ts'
import { contractConditions, contractsOf, EARNS_REVENUE, type NamedContracts } from './contract.rows.ts'
import { knownTotal, openContractsDue } from './contract.totals.ts'
import { moveContractsToTrash } from './contract.trash.ts'
import { CONTRACT_COLUMNS, ContractRow, contractView, type ContractView } from './contract.view.ts'
import { decideByStatus } from './renewals.service.ts'

const SORTS: Record<NonNullable<ListContracts['sort']>, SortKey> = {
  added: { name: 'contracts.added', expression: 'k.id', type: 'int', id: 'k.id' },
  amount: { name: 'contracts.amount', expression: 'k.amount_cents', type: 'bigint', id: 'k.id' },
  startDate: { name: 'contracts.startDate', expression: 'k.start_date', type: 'date', id: 'k.id' },
  renewalDate: { name: 'contracts.renewalDate', expression: 'k.renewal_date', type: 'date', id: 'k.id' },
  openFirst: { name: 'contracts.openFirst', expression: 'k.open_first', type: 'int', id: 'k.id' },
}

const ContractPage = pageRow(ContractRow)

/** A page of contracts with the count of all that match the filter. */
export async function listContracts({ read, accountId, today }: ReaderContext, filter: ListContracts & NamedContracts) {
  const { sort, direction } = orderOf(filter)
  const page = pageOf(SORTS[sort], direction, filter)
  const conditions = contractConditions(accountId, filter, today)
  const parts = { columns: CONTRACT_COLUMNS, page, from: sql`${contractsOf(accountId)} ${conditions}` }
  const statement = filter.search
    ? searchStatement({ ...parts, ...searchParts(accountId, filter.search, conditions) })
    : pageStatement({ ...parts, total: knownTotal(accountId, filter, today) })
  const [found] = await read(statement, ContractPage, planningOf(conditions, filter))
  return pageView(found, page, (row) => contractView(row, today))
}

/** If all matching contracts are open, or none are, `openFirst` is an order by renewal date. */
function orderOf({ sort = 'added', direction, ...filter }: ListContracts) {
  const { status, overdue, expiring, renewsWithin } = filter
  if (sort !== 'openFirst') return { sort, direction }
  if (overdue || expiring || renewsWithin !== undefined) return { sort: 'renewalDate', direction } as const
  if (status === undefined) return { sort, direction }
  const reverse = direction === 'asc' ? 'desc' : 'asc'
  return { sort: 'renewalDate', direction: isOpen(status) ? direction : reverse } as const
}

// The number of matching rows decides whether to walk an index in order or to collect and sort them.
function planningOf(conditions: Sql, { search }: ListContracts): Planning {
  return conditions.sql.trim() !== '' && !search ? 'each time' : 'once'
}

/** The figures above the contracts table; "expiring" runs to the end of this month. */
export async function contractFigures({ read, accountId, today }: ReaderContext): Promise<ContractFigures> {
  const window = monthEndWindow(today)
  const statement = sql`
    select coalesce(sum(contracts), 0)::int as total,
      coalesce(sum(contracts) filter (where ${EARNS_REVENUE}), 0)::int as active,
      coalesce(sum(amount_cents) filter (where ${EARNS_REVENUE}), 0)::text as "revenueCents",
      (${openContractsDue(accountId, window)}) as expiring
    from contract_totals where account_id = ${accountId}`
  const [row] = await read(statement, FiguresRow)
  if (!row) return { total: 0, active: 0, expiring: 0, revenue: 0 }
  const { revenueCents, ...counts } = row
  return { ...counts, revenue: amountFromSum(BigInt(revenueCents)) }
}

const FiguresRow = z.object({ total: z.int(), active: z.int(), revenueCents: z.string(), expiring: z.int() })

export interface ContractFigures {
  total: number
  active: number
  expiring: number
  /** US dollars: the sum of the active contracts' amounts. */
  revenue: number
}

/** @throws CONTRACT_NOT_FOUND, also for somebody else's. */
export async function getContract({ read, accountId, today }: ReaderContext, { id }: ById): Promise<ContractView> {
  const [row] = await read(sql`select ${CONTRACT_COLUMNS} ${contractsOf(accountId)} and k.id = ${id}`, ContractRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  return contractView(row, today)
}

/**
 * A new row, with how many customers and contracts the account had before. Its customer has no name if it was in the trash
 * when the statement began, and has been restored since.
 */
const CreatedContractRow = ContractRow.extend({ customerName: z.string().nullable(), stored: z.int() })

/** @throws CUSTOMER_NOT_FOUND, also for another account's customer, ACCOUNT_FULL, TAGS_FULL */
export async function createContract(
  ctx: SubscriberContext,
  { amount, reminders, ...fields }: CreateContract,
): Promise<ContractView> {
  const { write, accountId, today, services } = ctx
  const now = services.now()
  const terms = { ...UNDECIDED, ...fields, amountCents: amount }
  const mutedRenewalDate = reminders === 'off' ? settledRenewalDate(terms, today) : null
  const tags = await spelledTags(ctx, fields.tags)
  const row = { accountId, ...fields, tags, amountCents: amount, mutedRenewalDate, createdAt: now, remindersSince: now }
  const statement = sql`
    with k as (insert into contracts ${rowOf(ContractEntity, row)} returning *),
    planned as (${planningOfNew(ctx, [fields])})
    select ${CONTRACT_COLUMNS}, (${storedRows(accountId)}) as stored from k`
  const [created] = await write(statement, CreatedContractRow).catch(refuseUnknownCustomer)
  const customerName = created?.customerName ?? null
  if (!created || customerName === null) throw new AppError('CUSTOMER_NOT_FOUND')
  refuseBeyondQuota(ctx, created.stored + 1)
  return contractView({ ...created, customerName }, today)
}

/**
 * Changes the fields that were sent, if the contract is still as it was seen.
 * @throws CONTRACT_NOT_FOUND, CONTRACT_CHANGED, CUSTOMER_NOT_FOUND, RENEWAL_BEFORE_START, TERM_TOO_SHORT, START_AFTER_TERM,
 * TAGS_FULL
 */
export async function updateContract(
  ctx: SubscriberContext,
  input: UpdateContract,
  seen: Seen = {},
): Promise<ContractView> {
  const { id, amount, nextAmount, status, reminders, ...changes } = input
  // Tags are locked before the contract, as whoever renames them does.
  const tags = changes.tags && (await spelledTags(ctx, changes.tags))
  await lockRow(ctx, 'contracts', id)
  const contract = await ctx.em.findOne(ContractEntity, { id, accountId: ctx.accountId }, { refresh: true })
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  if (isOvertaken(contract, seen)) throw await contractChanged(ctx, input)
  const before = { status: contract.status, renewalDate: contract.renewalDate, startDate: contract.startDate }
  const isDecision = status !== undefined && isOpen(status) !== isOpen(contract.status)
  const stays = isDecision ? undefined : status
  ctx.em.assign(
    contract,
    withoutUndefined({ ...changes, tags, status: stays, amountCents: amount, nextAmountCents: nextAmount }),
  )
  if (contract.renewalDate < contract.startDate) throw renewalBeforeStart()
  if (contract.termStart && contract.renewalDate <= contract.termStart)
    throw new AppError('TERM_TOO_SHORT', { values: { date: contract.termStart } })
  if (reminders) contract.mutedRenewalDate = reminders === 'off' ? settledRenewalDate(contract, ctx.today) : null
  if (remindersStartOver(before, contract)) contract.remindersSince = ctx.services.now()
  await ctx.em.flush().catch(refuseUnknownCustomer)
  if (contract.termNumber > 1 && contract.startDate !== before.startDate) await startFirstTerm(ctx, contract)
  if (isDecision) return decideByStatus(ctx, { id, status })
  await planSoon(ctx, [contract])
  return getContract(ctx, { id })
}

async function contractChanged(ctx: SubscriberContext, { amount, nextAmount, ...input }: UpdateContract) {
  const sent = { ...input, amount: dollars(amount), nextAmount: dollars(nextAmount) }
  return new AppError('CONTRACT_CHANGED', { details: whatDiffers(await getContract(ctx, input), sent) })
}

function dollars(cents: Cents | null | undefined): number | null | undefined {
  return cents === null || cents === undefined ? cents : amountFromCents(cents)
}

const FIRST_TERM = columnsOf(ContractTermEntity, 't', ['renewalDate'])
const FirstTermRow = z.object(FIRST_TERM.fields)

interface LaterTerm {
  id: number
  startDate: Day
  termStart?: Day | null | undefined
}

/**
 * Keeps the first term, which is over, from beginning before its contract. An imported contract may have later terms alone.
 * @throws START_AFTER_TERM
 */
async function startFirstTerm(ctx: SubscriberContext, { id, startDate, termStart }: LaterTerm) {
  const statement = sql`
    update contract_terms t set start_date = greatest(start_date, least(${startDate}::date, renewal_date))
    where account_id = ${ctx.accountId} and contract_id = ${id} and number = 1 returning ${FIRST_TERM}`
  const [term] = await ctx.write(statement, FirstTermRow)
  const end = term?.renewalDate ?? (await firstKnownDay(ctx, id)) ?? termStart
  if (end && startDate >= end) throw new AppError('START_AFTER_TERM', { values: { date: end } })
}

/** On which the earliest of the closed terms began; undefined if there is none. */
async function firstKnownDay({ write, accountId }: SubscriberContext, id: number): Promise<Day | undefined> {
  const statement = sql`
    select ${CLOSED_TERM} from contract_terms t where account_id = ${accountId} and contract_id = ${id}
    order by number limit 1`
  const [first] = await write(statement, ClosedTermRow)
  return first?.startDate
}

const CLOSED_TERM = columnsOf(ContractTermEntity, 't', ['startDate'])
const ClosedTermRow = z.object(CLOSED_TERM.fields)

/** Moves a contract to the trash. @throws CONTRACT_NOT_FOUND, also for somebody else's. */
export async function removeContract(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const moved = await moveContractsToTrash({ ...ctx, now: ctx.services.now() }, sql`k.id = ${id}`)
  if (moved === 0) throw new AppError('CONTRACT_NOT_FOUND')
}

// Contracts are searched by their customers' names alone (spec, section 2).
function searchParts(accountId: number, text: string, conditions: Sql) {
  const ofMatch = sql`${contractsOf(accountId)} and k.customer_id = matches.id ${conditions}`
  return {
    matches: matchingCustomers(accountId, text, { nameAlone: true }),
    // The offset keeps the planner from reading all contracts to find these.
    few: sql`from matches cross join lateral (select k.* ${ofMatch} offset 0) k where true`,
    many: sql`${contractsOf(accountId)} ${conditions} and exists (select from (
      select * from customers where account_id = k.account_id and id = k.customer_id limit 1) c
      where ${customerMatches(text, { nameAlone: true })})`,
    total: sql`select coalesce(sum(one.contracts), 0)::int as total
      from matches cross join lateral (select count(*) as contracts ${ofMatch}) one`,
  }
}

// The same as the schema's refusal when both dates are sent.
function renewalBeforeStart(): AppError {
  const fields = { renewalDate: REFUSALS.RENEWAL_BEFORE_START.message }
  return new AppError('RENEWAL_BEFORE_START', { details: { fields } })
}

// The foreign key is (account, customer), so another account's customer violates it.
function refuseUnknownCustomer(error: unknown): never {
  const isUnknown = isViolation(error, 'foreign key') || error instanceof ForeignKeyConstraintViolationException
  if (isUnknown) throw new AppError('CUSTOMER_NOT_FOUND', { cause: error })
  throw error
}
