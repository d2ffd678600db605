import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { BulkAction, ReasonLeftOut } from '#shared/domain/bulk-change.ts'
import { AppError } from '#shared/errors.ts'
import { bulkRequest, type BulkChange } from '#shared/schemas/bulk.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { knownReason } from '#server/contracts/renewal-settings.service.ts'
import { columnsOf } from '#server/db/columns.ts'
import { isViolation } from '#server/db/violations.ts'
import { spelledTags } from '#server/tags/tagged-rows.ts'
import { WENT_OUT } from '#server/ledger/confirmations.ts'
import { BulkChangeEntity, type BulkState } from './bulk-change.entity.ts'
import { isConfirmed } from './preview-bulk.service.ts'
import { selectedContracts } from './selection.ts'
import { LeftOut, type StoredRequest } from './stored-request.ts'

/** Older changes can no longer be undone. */
const MOST_KEPT = 10
const MOST_NAMED = 20

/** A change of many contracts, and its progress. */
export interface BulkView {
  id: number
  action: BulkAction
  state: BulkState
  /** How many contracts were selected. */
  total: number
  /** How many have been changed and not undone. */
  changed: number
  /** How many have not been processed. */
  waiting: number
  /** How many have been undone. */
  undone: number
  /** Of how many of these contracts the customers had already been told that they were renewed. */
  alreadyTold: number
  leftOut: { reason: ReasonLeftOut; count: number }[]
  /** Those not undone, because they had been changed since: how many, and the first of them. */
  keptCount: number
  kept: { contractId: number; customerName: string | null; changedSince: string }[]
  createdAt: Date
  endedAt: Date | null
}

const BULK = columnsOf(BulkChangeEntity, 'b', ['id', 'action', 'state', 'total', 'createdAt', 'endedAt'])
const Kept = z.object({ contractId: z.int(), customerName: z.string().nullable(), changedSince: z.string() })
const BulkRow = z.object({
  ...BULK.fields,
  alreadyTold: z.int(),
  counts: z.array(z.object({ state: z.string(), reason: z.string().nullable(), count: z.int() })),
  kept: z.array(Kept),
})

const COUNTS = sql`
  (select count(distinct c.contract_id)::int from bulk_contracts c
    join reminders r on r.account_id = c.account_id and r.contract_id = c.contract_id and r.term_number = c.term_number + 1
      and r.kind = 'confirmation' and r.sending_at between b.created_at and b.ended_at and ${WENT_OUT}
    where c.account_id = b.account_id and c.bulk_id = b.id and c.state = 'undone' and b.action = 'renew') as "alreadyTold",
  (select coalesce(json_agg(row_to_json(o)), '[]') from (
    select state, case when state = 'left_out' then reason end as reason, count(*)::int as count from bulk_contracts
    where account_id = b.account_id and bulk_id = b.id group by 1, 2 order by 3 desc, 2) o) as counts,
  (select coalesce(json_agg(row_to_json(o)), '[]') from (
    select r.contract_id as "contractId", c.name as "customerName", r.reason as "changedSince" from bulk_contracts r
    left join contracts k on k.account_id = r.account_id and k.id = r.contract_id
    left join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where r.account_id = b.account_id and r.bulk_id = b.id and r.state = 'kept'
    order by r.contract_id limit ${MOST_NAMED}) o) as kept`

/**
 * Starts a change of many contracts, which the job carries out.
 * @throws END_REASON_UNKNOWN, BULK_EMPTY, BULK_RUNNING
 */
export async function startBulk(ctx: SubscriberContext, input: BulkChange): Promise<BulkView> {
  const { write, accountId, today, services } = ctx
  const reason = input.action === 'end' && input.reason !== undefined ? await knownReason(ctx, input.reason) : null
  const change = bulkRequest(input)
  if (change.action === 'tag') change.add = await spelledTags(ctx, change.add)
  const confirm = change.action === 'renew' && (await isConfirmed(ctx, input))
  const confirmsBySettings = input.confirm === undefined
  const request: StoredRequest = { change, reason, note: input.note ?? null, confirm, confirmsBySettings }
  await write(forgotten(accountId))
  const statement = sql`
    with selected as materialized (select k.id, k.term_number ${selectedContracts(accountId, input.contracts, today)}
    ), b as (
      insert into bulk_changes (account_id, action, request, total, created_at, created_by)
      select ${accountId}, ${input.action}, ${JSON.stringify(request)}::jsonb, count(*), ${services.now()},
        current_setting('app.actor')
      from selected having count(*) > 0
      on conflict (account_id) where state in ('running', 'undoing') do nothing returning id
    ), rows as (
      insert into bulk_contracts (account_id, bulk_id, contract_id, term_number)
      select ${accountId}, b.id, s.id, s.term_number from b, selected s
    )
    select (select count(*)::int from selected) as selected, (select id from b) as id`
  const [started] = await write(statement, z.object({ selected: z.int(), id: z.int().nullable() }))
  if (!started || started.selected === 0) throw new AppError('BULK_EMPTY')
  if (started.id === null) throw new AppError('BULK_RUNNING')
  return getBulk(ctx, { id: started.id })
}

function forgotten(accountId: number): Sql {
  return sql`
    delete from bulk_changes where account_id = ${accountId} and state in ('done', 'undone') and id in (
      select id from bulk_changes where account_id = ${accountId} order by id desc offset ${MOST_KEPT - 1})`
}

/** @throws BULK_NOT_FOUND, also for somebody else's. */
export async function getBulk({ read, accountId }: ReaderContext, { id }: ById): Promise<BulkView> {
  const statement = sql`select ${BULK}, ${COUNTS} from bulk_changes b where b.account_id = ${accountId} and b.id = ${id}`
  const [row] = await read(statement, BulkRow)
  if (!row) throw new AppError('BULK_NOT_FOUND')
  return bulkView(row)
}

/** The newest change of many contracts; null if there was none. */
export async function latestBulk({ read, accountId }: ReaderContext): Promise<BulkView | null> {
  const statement = sql`
    select ${BULK}, ${COUNTS} from bulk_changes b where b.account_id = ${accountId} order by b.id desc limit 1`
  const [row] = await read(statement, BulkRow)
  return row ? bulkView(row) : null
}

/**
 * Starts undoing a change, which the job carries out. Contracts changed since are kept, and named in the result.
 * @throws BULK_NOT_FOUND, also for somebody else's, BULK_FINAL, BULK_NOT_DONE, BULK_UNDONE, BULK_RUNNING
 */
export async function undoBulk(ctx: SubscriberContext, { id }: ById): Promise<BulkView> {
  const { write, accountId } = ctx
  const locked = sql`select state, action from bulk_changes where account_id = ${accountId} and id = ${id} for update`
  const [bulk] = await write(locked, z.object({ state: z.string(), action: z.string() }))
  if (!bulk) throw new AppError('BULK_NOT_FOUND')
  if (bulk.action === 'remind') throw new AppError('BULK_FINAL')
  if (bulk.state === 'running') throw new AppError('BULK_NOT_DONE')
  if (bulk.state !== 'done') throw new AppError('BULK_UNDONE')
  const begun = sql`
    update bulk_changes set state = 'undoing', through = 0, ended_at = null
    where account_id = ${accountId} and id = ${id} and not exists (
      select from bulk_changes where account_id = ${accountId} and state in ('running', 'undoing'))
    returning id`
  const [undoing] = await write(begun, z.object({ id: z.int() })).catch(refuseSecond)
  if (!undoing) throw new AppError('BULK_RUNNING')
  return getBulk(ctx, { id })
}

/** Another change that has begun at the same time could not be seen yet. */
function refuseSecond(error: unknown): never {
  if (isViolation(error, 'unique')) throw new AppError('BULK_RUNNING', { cause: error })
  throw error
}

function bulkView({ counts, kept, ...bulk }: z.output<typeof BulkRow>): BulkView {
  const countOf = (state: string) =>
    counts.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0)
  return {
    ...bulk,
    changed: countOf('changed'),
    waiting: countOf('waiting'),
    undone: countOf('undone'),
    leftOut: counts
      .filter(({ state }) => state === 'left_out')
      .map(({ reason, count }) => ({ reason: LeftOut.parse(reason), count })),
    keptCount: countOf('kept'),
    kept,
  }
}
