import sql from 'sql-template-tag'
import { z } from 'zod'
import { selectedResult, type ReasonLeftOut } from '#shared/domain/bulk-change.ts'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import type { ClosedTerm } from '#shared/domain/renewal.ts'
import { dayIn } from '#shared/domain/day.ts'
import type { JobContext, Services } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { carriedOut, DECIDED, DecidedContract, decisionsUndone, type Decision } from '#server/contracts/decisions.ts'
import { DECISION, DecisionRow, undoOf } from '#server/contracts/undo.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import { planningOfNew } from '#server/ledger/schedule.ts'
import { inParallel } from '#server/limits/in-parallel.ts'
import { planConfirmations } from '#server/reminders/confirmations.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import { BulkChangeEntity } from './bulk-change.entity.ts'
import { deletionsTakenBack, movedToTrash } from './bulk-deletion.ts'
import { DELETED, noted, ROW, Row, rowsOf, type KeptContract, type Run } from './bulk-run.ts'
import { remindCustomers } from './remind-customers.ts'
import { changeTags, tagsTakenBack } from './tag-contracts.ts'
import { requestOfNow } from './stored-request.ts'

const CONTRACTS_AT_ONCE = 500
const ACCOUNTS_AT_ONCE = 2

/**
 * Carries out and undoes changes of many contracts, a few of each account per transaction, so that each contract is
 * changed once, whatever crashes.
 */
export async function runBulkChanges(ctx: JobContext, { contractsAtOnce = CONTRACTS_AT_ONCE } = {}): Promise<void> {
  const stuck = new Set<number>()
  for (;;) {
    const found = ctx.signal.aborted ? [] : await readRows(ctx.db.system, RUNNING_CHANGES, Running)
    const running = found.filter(({ id }) => !stuck.has(id))
    if (running.length === 0) return
    await inParallel(running, { most: ACCOUNTS_AT_ONCE }, async (bulk) => {
      if (!(await hasContinued(ctx, { ...bulk, contractsAtOnce }))) stuck.add(bulk.id)
    })
  }
}

const RUNNING = columnsOf(BulkChangeEntity, 'b', ['id', 'accountId', 'createdBy'])
const Running = z.object(RUNNING.fields)

interface Batch extends z.output<typeof Running> {
  contractsAtOnce: number
}

const RUNNING_CHANGES = sql`
  select ${RUNNING} from bulk_changes b where state in ('running', 'undoing') order by account_id limit 1000`

/** If it fails for one account, the others are carried out without it; the next run tries again. */
async function hasContinued({ db, services, log }: JobContext, bulk: Batch): Promise<boolean> {
  try {
    return await db.as(bulk.createdBy).writeAs(bulk.accountId, (_em, write) => continued(write, bulk, services))
  } catch (error) {
    log.error({ err: error, accountId: bulk.accountId }, 'a change of many contracts could not be carried out')
    return false
  }
}

const BULK = columnsOf(BulkChangeEntity, 'b', ['state', 'request', 'through'])
const BulkRow = z.object({ ...BULK.fields, timeZone: z.string() })

/** Whether there was anything to do. There is nothing to do for an account that is being deleted or is suspended. */
async function continued(write: Write, batch: Batch, services: Services): Promise<boolean> {
  const { id, accountId, contractsAtOnce } = batch
  const statement = sql`
    select ${BULK}, coalesce(a.time_zone, 'UTC') as "timeZone" from bulk_changes b join accounts a on a.id = b.account_id
    where b.account_id = ${accountId} and b.id = ${id} and a.deleting_at is null and a.suspended_at is null for update of b`
  const [bulk] = await write(statement, BulkRow)
  if (!bulk || (bulk.state !== 'running' && bulk.state !== 'undoing')) return false
  const now = services.now()
  const request = await requestOfNow({ write, accountId }, bulk.request)
  const isUndoing = bulk.state === 'undoing'
  const rows = await nextContracts(write, batch, {
    after: bulk.through,
    state: isUndoing ? 'changed' : 'waiting',
  })
  const last = rows.at(-1)?.contractId ?? bulk.through
  const span = { first: rows[0]?.contractId ?? last, last }
  const run: Run = { id, accountId, now, today: dayIn(now, bulk.timeZone), services, write, request, span }
  // A change of tags locks tags first, as whoever renames them does.
  const contracts = request.change.action === 'tag' ? new Map() : await lockContracts(run, rows)
  if (rows.length > 0) await (isUndoing ? takeBack(run, rows, contracts) : change(run, rows, contracts))
  const isOver = rows.length < contractsAtOnce
  await write(sql`
    update bulk_changes set through = ${last}
      ${isOver ? sql`, ended_at = ${now}, state = ${isUndoing ? 'undone' : 'done'}` : sql``}
    where account_id = ${accountId} and id = ${id}`)
  return true
}

type Contracts = ReadonlyMap<number, DecidedContract>

function nextContracts(
  write: Write,
  { id, accountId, contractsAtOnce }: Batch,
  { after, state }: { after: number; state: string },
): Promise<Row[]> {
  const statement = sql`
    select ${ROW} from bulk_contracts r
    where account_id = ${accountId} and bulk_id = ${id} and contract_id > ${after} and state = ${state}
    order by contract_id limit ${contractsAtOnce}`
  return write(statement, Row)
}

async function lockContracts({ accountId, write }: Run, rows: readonly Row[]): Promise<Contracts> {
  const ids = rows.map(({ contractId }) => contractId)
  const statement = sql`
    select ${DECIDED} ${contractsOf(accountId)} and k.id = any(${ids}::int[]) order by k.id for no key update`
  const contracts = await write(statement, DecidedContract)
  return new Map(contracts.map((contract) => [contract.id, contract]))
}

interface Changed {
  before: DecidedContract
  after: DecidedContract
  closed: readonly ClosedTerm[]
}

async function change(run: Run, rows: readonly Row[], contracts: Contracts): Promise<void> {
  const { write, today, request, now } = run
  if (request.change.action === 'tag') return changeTags(run, request.change, rows)
  if (request.change.action === 'remind') return remindCustomers(run, rows)
  const decided = request.change
  const { action } = decided
  const changed: Changed[] = []
  const left: { contractId: number; reason: ReasonLeftOut }[] = []
  for (const { contractId, termNumber } of rows) {
    const before = contracts.get(contractId)
    const selected = { today, termNumber }
    const result = before ? selectedResult(before, decided, selected) : { leftOut: 'gone' as const }
    if ('leftOut' in result) left.push({ contractId, reason: result.leftOut })
    else if (before) changed.push({ before, after: result.contract, closed: result.closed })
  }
  if (left.length > 0) await write(noted(run, 'left_out', left))
  if (action === 'change_price') return repriced(run, changed)
  if (action === 'delete') return movedToTrash(run, changed)
  const { reason, note } = request
  const decisions = changed.map(({ after, ...others }): Decision => {
    const startingOver = action === 'renew' ? { ...after, remindersSince: now } : after
    return { act: action, ...others, reason, note, after: startingOver }
  })
  if (decisions.length === 0) return undefined
  const result = sql`, noted as (
      update bulk_contracts r set state = 'changed', decision_id = d.id from decided d
      where ${rowsOf(run)} and r.contract_id = d.contract_id
    ), planned as (${planningOfNew(
      run,
      changed.map(({ after }) => after),
    )})
    select from k`
  await write(carriedOut(decisions, run, result))
  return request.confirm ? confirmed(run, decisions) : undefined
}

/** They go out after ten seconds, by when the next contracts of the same customers are renewed too. */
async function confirmed({ write, accountId, now, today }: Run, decisions: readonly Decision[]): Promise<void> {
  const account = await readReminderAccount(write, accountId)
  const ids = decisions.map(({ after }) => after.id)
  await planConfirmations(write, ids, { account, now, today, at: new Date(now.getTime() + UNDO_MS) })
}

async function repriced(run: Run, changed: readonly Changed[]): Promise<void> {
  const { write, accountId } = run
  const prices = changed.map(({ before, after }) => {
    return { contractId: before.id, before: before.nextAmountCents, after: after.nextAmountCents }
  })
  await write(sql`
    with n as (
      select * from json_to_recordset(${JSON.stringify(prices)}::json) as n("contractId" int, before bigint, after bigint)
    ), k as (
      update contracts k set next_amount_cents = n.after from n where k.account_id = ${accountId} and k.id = n."contractId"
    )
    update bulk_contracts r set state = 'changed', before_cents = n.before, after_cents = n.after from n
    where ${rowsOf(run)} and r.contract_id = n."contractId"`)
}

async function takeBack(run: Run, rows: readonly Row[], contracts: Contracts): Promise<void> {
  const { action } = run.request.change
  if (action === 'remind') throw new Error('Reminders are never undone')
  const kept = await TAKEN_BACK[action](run, rows, contracts)
  const names = new Set(kept.map(({ contractId }) => contractId))
  const undone = rows.filter(({ contractId }) => !names.has(contractId))
  await run.write(noted(run, 'kept', kept))
  await run.write(noted(run, 'undone', undone))
}

const TAKEN_BACK = {
  renew: undoDecisions,
  end: undoDecisions,
  change_price: pricesTakenBack,
  delete: deletionsTakenBack,
  tag: tagsTakenBack,
}

const DECIDED_AGAIN = 'Renewed, ended or reopened'
const SCHEDULED_PRICE = 'Next Amount'

const LatestDecision = DecisionRow.extend({ contractId: z.int() })

async function undoDecisions(run: Run, rows: readonly Row[], contracts: Contracts): Promise<KeptContract[]> {
  const { accountId, write } = run
  const statement = sql`
    select distinct on (d.contract_id) ${DECISION}, d.contract_id as "contractId" from contract_decisions d
    where d.account_id = ${accountId} and d.contract_id = any(${rows.map(({ contractId }) => contractId)}::int[])
    order by d.contract_id, d.id desc`
  const latest = new Map((await write(statement, LatestDecision)).map((one) => [one.contractId, one]))
  const kept: KeptContract[] = []
  const restorations = rows.flatMap(({ contractId, decisionId }) => {
    const [contract, decision] = [contracts.get(contractId), latest.get(contractId)]
    if (!contract) return (kept.push({ contractId, reason: DELETED }), [])
    if (decision?.id !== decisionId || !decision) return (kept.push({ contractId, reason: DECIDED_AGAIN }), [])
    const { restored, overtakenBy } = undoOf(contract, decision)
    if (overtakenBy.length > 0) return (kept.push({ contractId, reason: overtakenBy.join(', ') }), [])
    return [{ restored, decision }]
  })
  const planned = sql`, planned as (${planningOfNew(
    run,
    restorations.map(({ restored }) => restored),
  )})`
  if (restorations.length > 0) await write(decisionsUndone(restorations, run, sql`${planned} select from k`))
  return kept
}

async function pricesTakenBack(
  { accountId, write }: Run,
  rows: readonly Row[],
  contracts: Contracts,
): Promise<KeptContract[]> {
  const kept: KeptContract[] = []
  const prices = rows.flatMap(({ contractId, beforeCents, afterCents }) => {
    const contract = contracts.get(contractId)
    if (!contract) return (kept.push({ contractId, reason: DELETED }), [])
    if (contract.nextAmountCents !== afterCents) return (kept.push({ contractId, reason: SCHEDULED_PRICE }), [])
    return [{ contractId, cents: beforeCents }]
  })
  await write(sql`
    update contracts k set next_amount_cents = n.cents
    from json_to_recordset(${JSON.stringify(prices)}::json) as n("contractId" int, cents bigint)
    where k.account_id = ${accountId} and k.id = n."contractId"`)
  return kept
}
