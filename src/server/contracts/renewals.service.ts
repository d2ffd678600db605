import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { mayBeDue } from '#shared/domain/replanning.ts'
import {
  canEndOn,
  ending,
  expiry,
  obstacleToRenewal,
  renewal,
  reopening,
  termStartOf,
  type RenewalObstacle,
} from '#shared/domain/renewal.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { EndContract, RenewContract } from '#shared/schemas/renewals.ts'
import type { SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { messagesEnded, messagesResumed, messagesWithdrawn } from '#server/ledger/terms.ts'
import { planningOfNew } from '#server/ledger/schedule.ts'
import { ContractDecisionEntity } from './contract-history.entity.ts'
import { contractsOf } from './contract.rows.ts'
import { CONTRACT_COLUMNS, ContractRow, contractView, type ContractView } from './contract.view.ts'
import { carriedOut, contractsChanged, DECIDED, DecidedContract, endedMessages, type Decision } from './decisions.ts'
import { endReasons } from './renewal-settings.service.ts'

/**
 * Closes a contract's current term and opens the next one, with the scheduled change unless the request says otherwise.
 * Two calls at once renew it once if they name the term.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, CONTRACT_CLOSED, CONTRACT_ENDING, TERM_CHANGED, TERM_NOT_BEGUN,
 * TERM_NOT_OVER, TERM_TOO_SHORT, TERM_TOO_LATE, TERMS_FULL
 */
export async function renewContract(
  ctx: SubscriberContext,
  { id, amount, ...others }: RenewContract,
): Promise<ContractView> {
  const before = await lockContract(ctx, id)
  const request = { ...others, amountCents: amount }
  const obstacle = obstacleToRenewal(before, request, ctx.today)
  if (obstacle) throw refusalOf(obstacle, before, ctx.today)
  const { contract, closed } = renewal(before, request, ctx.today)
  return decide(ctx, { act: 'renew', before, after: startingOver(ctx, contract), closed })
}

const REFUSED: Record<RenewalObstacle, RefusalKey> = {
  closed: 'CONTRACT_CLOSED',
  ending: 'CONTRACT_ENDING',
  term_changed: 'TERM_CHANGED',
  not_begun: 'TERM_NOT_BEGUN',
  not_overdue: 'TERM_NOT_OVER',
  too_short: 'TERM_TOO_SHORT',
  too_late: 'TERM_TOO_LATE',
  too_many: 'TERMS_FULL',
}

function refusalOf(obstacle: RenewalObstacle, contract: DecidedContract, today: Day): AppError {
  const { renewalDate, termNumber: term } = contract
  const dates: Partial<Record<RenewalObstacle, Day>> = {
    ending: contract.endsOn ?? today,
    not_begun: termStartOf(contract),
  }
  return new AppError(REFUSED[obstacle], { values: { term, date: dates[obstacle] ?? renewalDate }, details: { term } })
}

/**
 * Decides that a contract ends, today or on a later day of its term, until which it stays open without messages to the
 * customer. Deciding again changes the day and the reason.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, CONTRACT_CLOSED, END_DAY_INVALID, END_REASON_UNKNOWN
 */
export async function endContract(ctx: SubscriberContext, input: EndContract): Promise<ContractView> {
  const before = await lockContract(ctx, input.id)
  if (!isOpen(before.status)) throw new AppError('CONTRACT_CLOSED')
  const on = input.on ?? ctx.today
  if (!canEndOn(before, on, ctx.today)) throw new AppError('END_DAY_INVALID')
  const reasons = await endReasons(ctx)
  const reason = reasons.find((one) => one.toLowerCase() === input.reason.toLowerCase())
  if (reason === undefined)
    throw new AppError('END_REASON_UNKNOWN', { values: { reasons: reasons.join(', ') }, details: { reasons } })
  const after = ending(before, on, ctx.today)
  return decide(ctx, { act: 'end', before, after, reason, note: input.note ?? null })
}

/**
 * Opens a closed contract again, with the status that it had, or keeps an ending one from ending.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, CONTRACT_OPEN
 */
export async function reopenContract(ctx: SubscriberContext, { id }: ById): Promise<ContractView> {
  const before = await lockContract(ctx, id)
  if (isOpen(before.status) && before.endsOn === null) throw new AppError('CONTRACT_OPEN')
  const status = isOpen(before.status) ? before.status : await statusBefore(ctx, id)
  return decide(ctx, { act: 'reopen', before, after: reopened(ctx, before, status) })
}

/** Of a contract that was closed by a decision; active if nothing is known of that. */
async function statusBefore(ctx: SubscriberContext, id: number): Promise<ContractStatus> {
  const last = await lastDecision(ctx, id)
  const status = last && DecidedContract.parse(last.before).status
  return status && isOpen(status) ? status : 'active'
}

/** What a changed status means: that the contract ends without a reason, expires, or is open again. */
export async function decideByStatus(
  ctx: SubscriberContext,
  { id, status }: { id: number; status: ContractStatus },
): Promise<ContractView> {
  const before = await lockContract(ctx, id)
  if (isOpen(status)) return decide(ctx, { act: 'reopen', before, after: reopened(ctx, before, status) })
  if (status === 'expired') return decide(ctx, { act: 'expire', before, after: expiry(before, ctx.today) })
  return decide(ctx, { act: 'end', before, after: ending(before, ctx.today, ctx.today) })
}

function reopened(ctx: SubscriberContext, before: DecidedContract, status: ContractStatus): DecidedContract {
  const contract = reopening(before, status, ctx.today)
  return isOpen(before.status) ? contract : startingOver(ctx, contract)
}

/** Occasions before now do not count. */
function startingOver({ services }: SubscriberContext, contract: DecidedContract): DecidedContract {
  return { ...contract, remindersSince: services.now() }
}

/** A contract's row, which nobody else can change until the transaction ends. @throws CONTRACT_NOT_FOUND */
async function lockContract({ write, accountId }: SubscriberContext, id: number): Promise<DecidedContract> {
  const statement = sql`select ${DECIDED} ${contractsOf(accountId)} and k.id = ${id} for no key update`
  const [contract] = await write(statement, DecidedContract)
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  return contract
}

async function decide(ctx: SubscriberContext, decision: Decision): Promise<ContractView> {
  const { write, accountId, today, services } = ctx
  const planning = mayBeDue(decision.after, today) ? sql`, planned as (${planningOfNew(ctx, [decision.after])})` : empty
  const result = sql`${planning} select ${CONTRACT_COLUMNS} from k`
  const at = { accountId, now: services.now() }
  const [changed] = await write(carriedOut([decision], at, result), ContractRow)
  if (!changed) throw new Error('A locked contract has disappeared')
  return contractView(changed, today)
}

const DECISION = columnsOf(ContractDecisionEntity, 'd', ['id', 'act', 'decidedAt', 'decidedBy', 'before', 'after'])
const DecisionRow = z.object(DECISION.fields)

async function lastDecision({ write, accountId }: SubscriberContext, contractId: number) {
  const statement = sql`
    select ${DECISION} from contract_decisions d
    where account_id = ${accountId} and contract_id = ${contractId} order by id desc limit 1`
  const [last] = await write(statement, DecisionRow)
  return last
}

/** What must not have changed since, with the names that people read. */
const OVERTAKING: [keyof DecidedContract, string][] = [
  ['amountCents', 'Amount'],
  ['renewalCycle', 'Renewal Cycle'],
  ['startDate', 'Start Date'],
  ['renewalDate', 'Renewal Date'],
  ['status', 'Status'],
  ['customerId', 'Customer'],
]

/**
 * Takes back the newest renewal, end, expiry or reopening of a contract, as if it had not been decided. What was changed
 * since and does not stand in the way is kept; emails that were sent stay sent. What had happened by itself does not
 * happen again.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, NOTHING_TO_UNDO, UNDO_OVERTAKEN
 */
export async function undoDecision(ctx: SubscriberContext, { id }: ById): Promise<ContractView> {
  const { write, accountId, today, services } = ctx
  const now = await lockContract(ctx, id)
  const last = await lastDecision(ctx, id)
  if (!last) throw new AppError('NOTHING_TO_UNDO')
  const [before, after] = [DecidedContract.parse(last.before), DecidedContract.parse(last.after)]
  refuseOvertaken(now, after)
  const restored = DecidedContract.parse({ ...now, ...unchangedSince({ before, after, now }) })
  if (last.decidedBy.startsWith('job:')) restored.heldRenewalDate = restored.renewalDate
  const at = { accountId, now: services.now() }
  const ended = endedMessages({ act: 'reopen', after: restored })
  const statement = sql`
    with k as (${contractsChanged(sql`select ${JSON.stringify(restored)}::jsonb as after`, accountId)} returning k.*
    ), decision as (delete from contract_decisions where account_id = ${accountId} and id = ${last.id}
    ), terms as (
      delete from contract_terms
      where account_id = ${accountId} and contract_id = ${id} and number >= ${restored.termNumber}
    ), withdrawn as (${messagesWithdrawn(id, restored.termNumber, at)}
    ), changed as (${ended.length > 0 ? messagesEnded(ended, at) : messagesResumed(id, last.decidedAt, at)}
    ), planned as (${planningOfNew(ctx, [restored])})
    select ${CONTRACT_COLUMNS} from k`
  const [changed] = await write(statement, ContractRow)
  if (!changed) throw new Error('A locked contract has disappeared')
  return contractView(changed, today)
}

/** @throws UNDO_OVERTAKEN */
function refuseOvertaken(now: DecidedContract, after: DecidedContract): void {
  const changed = OVERTAKING.filter(([name]) => now[name] !== after[name])
  const fields = changed.map(([, label]) => label).join(', ')
  if (changed.length > 0) throw new AppError('UNDO_OVERTAKEN', { values: { fields } })
}

/** The columns that the decision changed and nobody has changed since, as they were before it. */
function unchangedSince({ before, after, now }: Record<'before' | 'after' | 'now', DecidedContract>) {
  const [values, decided] = [new Map(Object.entries(now)), new Map(Object.entries(after))]
  const isSame = (name: string) => JSON.stringify(values.get(name)) === JSON.stringify(decided.get(name))
  return Object.fromEntries(Object.entries(before).filter(([name]) => isSame(name)))
}
