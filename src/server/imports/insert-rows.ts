import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Term } from '#shared/domain/contract-term.ts'
import type { Day } from '#shared/domain/day.ts'
import { newTermStart } from '#shared/domain/renewal.ts'
import { quietUntil } from '#shared/domain/replanning.ts'
import { CUSTOMER_REASONS } from '#shared/schemas/import-rows.ts'
import type { SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnNames, rowsOf } from '#server/db/insert.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { planningOfNew } from '#server/ledger/schedule.ts'
import { tagColumn } from './batch-rows.ts'
import { settledBatch } from './settled-batch.ts'
import type { ContractBatch } from './sheet/batches.ts'
import type { Refusal } from './sheet/parse-row.ts'

export interface InsertOptions {
  importId: number
  /** Whether customers that contracts name are created if they are missing. */
  createCustomers: boolean
  /** Whether customers get no emails about the renewal dates in the file. */
  isMuted: boolean
}

export interface Inserted {
  created: number
  createdCustomers: number
  /** Rows refused because their customer does not exist, though its name is given. */
  missingCustomers: number
  refused: Refusal[]
}

/** Adds a batch in one statement, which finds the customer of each row among those of the account. */
export async function insertContracts(
  ctx: SubscriberContext,
  batch: ContractBatch,
  { importId, createCustomers, isMuted }: InsertOptions,
): Promise<Inserted> {
  const now = ctx.services.now()
  const createdCustomers = createCustomers ? await createMissing(ctx, batch, importId) : 0
  // Emails about the dates that the contracts have once those that are due are renewed.
  const muted = isMuted && { mutedRenewalDate: settledBatch(batch, ctx.today).columns.renewalDate }
  const columns = { ...termsOf(batch), ...muted }
  const names = columnNames(ContractEntity, columns)
  const tags = tagColumn(batch.columns.tags)
  const statement = sql`
    with ${named(batch)}, ${matched(batch, ctx.accountId)}, added as (
      insert into contracts
        (account_id, import_id, customer_id, ${names}${tags.name}, created_at, reminders_since)
      select ${ctx.accountId}, ${importId}, m.customer_id, ${names}${tags.value}, ${now}::timestamptz,
        ${quietUntil(ctx.today, ctx.caller.timeZone)}::timestamptz
      from matched m join ${rowsOf(ContractEntity, columns)} using (position) ${tags.joined}
      where m.matches = 1
      order by position
    )
    select array_agg(i.position::int order by i.position) as positions, coalesce(m.matches, 0) > 1 as "isAmbiguous",
      customer_name is not null as "isNamed",
      case when customer_number is not null then 'customerNumber' when i.customer_id is not null then 'customerId'
        else 'customerName' end as field
    from named i left join matched m using (position) where m.matches is distinct from 1 group by 2, 3, 4`
  const unmatched = await ctx.write(statement, Unmatched, 'each time')
  await ctx.write(planningOfNew(ctx, datesAndStatuses(batch)))
  const refused = unmatched.map(({ positions, field, ...why }) => ({
    positions,
    field,
    reason: reasonOf(why, createCustomers),
  }))
  const missing = createCustomers ? [] : unmatched.filter(({ isAmbiguous, isNamed }) => isNamed && !isAmbiguous)
  return { created: batch.count - countOf(refused), createdCustomers, missingCustomers: countOf(missing), refused }
}

// A row for each reason, not for each row that is refused: these may be all of a large file.
export const Refused = z.object({ positions: z.array(z.int()) })
const Unmatched = Refused.extend({ field: z.string(), isAmbiguous: z.boolean(), isNamed: z.boolean() })
type Unmatched = z.output<typeof Unmatched>

export function countOf(refused: readonly z.output<typeof Refused>[]): number {
  return refused.reduce((count, { positions }) => count + positions.length, 0)
}

function datesAndStatuses({ columns: { status, renewalDate } }: ContractBatch): Term[] {
  return renewalDate.flatMap((day, row) => {
    const itsStatus = status[row]
    return itsStatus ? [{ renewalDate: day, status: itsStatus }] : []
  })
}

/** Creates the customers that rows name and the account does not have, once each, if the file gives their name. */
async function createMissing(
  { write, accountId }: SubscriberContext,
  batch: ContractBatch,
  importId: number,
): Promise<number> {
  const statement = sql`
    with ${named(batch)}, ${matched(batch, accountId)}, added as (
      insert into customers (account_id, import_id, name, customer_number, source_id)
      select ${accountId}, ${importId}, name, customer_number, customer_id from (
        select distinct on (${IDENTITY}) position, customer_name as name, customer_number, customer_id
        from named i
        where customer_name is not null and not exists (select from matched m where m.position = i.position)
        order by ${IDENTITY}, position
      ) missing order by position
      on conflict (account_id, lower(customer_number)) where ${NOT_DELETED} do nothing
      returning 1
    )
    select count(*)::int as count from added`
  const [added] = await write(statement, CountRow, 'each time')
  return added?.count ?? 0
}

const CountRow = z.object({ count: z.int() })

const IDENTITY = sql`coalesce('number ' || lower(customer_number), 'id ' || customer_id,
  'name ' || lower(customer_name collate "und-x-icu"))`

function reasonOf(
  { isAmbiguous, isNamed }: Pick<Unmatched, 'isAmbiguous' | 'isNamed'>,
  createCustomers: boolean,
): string {
  if (isAmbiguous) return CUSTOMER_REASONS.ambiguous
  return createCustomers && !isNamed ? CUSTOMER_REASONS.unnamed : CUSTOMER_REASONS.unknown
}

/** The customer that each row names, as the table expression `named`. */
export function named({ columns }: ContractBatch): Sql {
  return sql`named as (
    select * from unnest(${columns.customerId}::int[], ${columns.customerNumber}::text[],
      ${columns.customerName}::text[]) with ordinality as i(customer_id, customer_number, customer_name, position))`
}

/** Everything else in each row, as the table `i`. */
export function terms(batch: ContractBatch): Sql {
  return rowsOf(ContractEntity, termsOf(batch))
}

/** The columns of a batch that are columns of contracts, but for their tags. */
function termsOf({ columns }: ContractBatch) {
  const { customerId: _id, customerNumber: _number, customerName: _name, tags: _tags, ...contracts } = columns
  const { amount, termNumber, termStart, ...others } = contracts
  const terms = { amountCents: amount, ...others }
  // A file that says nothing of terms has two columns less to send.
  return termNumber.every((number) => number === 1) ? terms : { ...terms, termNumber, termStart: startsOf(contracts) }
}

function startsOf(contracts: Pick<ContractBatch['columns'], TermColumn>): (Day | null)[] {
  const { termNumber, termStart, startDate, renewalDate, renewalCycle } = contracts
  return termNumber.map((number, row) => {
    const [start, renewal, cycle] = [startDate[row], renewalDate[row], renewalCycle[row]]
    if (start === undefined || renewal === undefined || cycle === undefined) return null
    const dates = { termStart: termStart[row] ?? null, startDate: start, renewalDate: renewal, renewalCycle: cycle }
    return newTermStart({ termNumber: number, ...dates })
  })
}

type TermColumn = 'termNumber' | 'termStart' | 'startDate' | 'renewalDate' | 'renewalCycle'

/**
 * The customer found for each row of `named`, as the table expression `matched`. A customer number decides. Without one,
 * the ID does if the name agrees: the account's own ID, or the one that the customer was imported with. Otherwise the
 * name does, or a customer number given as the name.
 */
export function matched({ columns }: ContractBatch, accountId: number): Sql {
  const isGiven = (values: (string | number | null)[]) => values.some((value) => value !== null)
  const ways = [
    ...(isGiven(columns.customerNumber) ? [BY_NUMBER] : []),
    ...(isGiven(columns.customerId) ? [BY_OWN_ID, BY_SOURCE_ID] : []),
    ...(isGiven(columns.customerName) ? [BY_NAME, BY_NUMBER_FOR_NAME] : []),
  ]
  return sql`own as not materialized (select * from customers where account_id = ${accountId} and ${NOT_DELETED}), matched as materialized (
    select distinct on (position) position, min(id) as customer_id, count(*) as matches
    from (${join(ways, ' union all ')}) candidates(position, rank, id)
    group by position, rank order by position, rank)`
}

const SAME_NAME = sql`lower(c.name) = lower(i.customer_name collate "und-x-icu")`
const BY_NUMBER = sql`select i.position, 1, c.id from named i join own c
  on lower(c.customer_number) = lower(i.customer_number)`
const BY_OWN_ID = sql`select i.position, 2, c.id from named i join own c on c.id = i.customer_id
  where i.customer_number is null and (i.customer_name is null or ${SAME_NAME})`
const BY_SOURCE_ID = sql`select i.position, 3, c.id from named i join own c on c.source_id = i.customer_id
  where i.customer_number is null and (i.customer_name is null or ${SAME_NAME})`
const BY_NAME = sql`select i.position, 4, c.id from named i join own c on ${SAME_NAME}
  where i.customer_number is null and (i.customer_id is null or c.source_id is null or c.source_id = i.customer_id)`
const BY_NUMBER_FOR_NAME = sql`select i.position, 5, c.id from named i join own c
  on lower(c.customer_number) = lower(i.customer_name) where i.customer_number is null and i.customer_id is null`
