import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import {
  canEndOn,
  ending,
  expiry,
  obstacleToRenewal,
  renewal,
  reopening,
  termStartOf,
  type RenewableContract,
  type RenewalObstacle,
  type Renewed,
} from '#shared/domain/renewal.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { EndContract, RenewContract, ReopenContract, UndoDecision } from '#shared/schemas/renewals.ts'
import type { ActingContext } from '#server/context.ts'
import { confirmedAddresses } from '#server/ledger/confirmations.ts'
import { planningOfNew } from '#server/ledger/schedule.ts'
import { contractsOf } from './contract.rows.ts'
import { CONTRACT_COLUMNS, ContractRow, contractView, type ContractView } from './contract.view.ts'
import { carriedOut, DECIDED, DecidedContract, decisionsUndone, type Decision } from './decisions.ts'
import { knownReason } from './renewal-settings.service.ts'
import { DECISION, DecisionRow, undoOf } from './undo.ts'

export interface DecidedView extends ContractView {
  /** The ID of the decision that was made. */
  decision: number
}

const DecidedRow = ContractRow.extend({ decision: z.int() })

/**
 * Closes a contract's current term and opens the next one, with the scheduled change unless the request says otherwise.
 * Two calls at once renew it once if they name the term.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, CONTRACT_CLOSED, CONTRACT_ENDING, TERM_CHANGED, TERM_NOT_BEGUN,
 * TERM_NOT_OVER, TERM_TOO_SHORT, TERM_TOO_LATE, TERMS_FULL
 */
export async function renewContract(ctx: ActingContext, { id, ...request }: RenewContract): Promise<DecidedView> {
  const before = await lockContract(ctx, id)
  const { contract, closed } = renewedAsAsked(before, request, ctx.today)
  return decide(ctx, { act: 'renew', before, after: startingOver(ctx, contract), closed })
}

/** The contract as a request to renew it would leave it. @throws what `renewContract` throws */
export function renewedAsAsked<Contract extends RenewableContract>(
  contract: Contract,
  { amount: amountCents, ...others }: Omit<RenewContract, 'id'>,
  today: Day,
): Renewed<Contract> {
  const request = { ...others, amountCents }
  const obstacle = obstacleToRenewal(contract, request, today)
  if (obstacle) throw refusalOf(obstacle, contract, today)
  return renewal(contract, request, today)
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

function refusalOf(obstacle: RenewalObstacle, contract: RenewableContract, today: Day): AppError {
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
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, TERM_CHANGED, CONTRACT_CLOSED, END_DAY_INVALID, END_REASON_UNKNOWN
 */
export async function endContract(
  ctx: ActingContext,
  input: EndContract,
  /** Whether the reason was checked when it was given. */
  { isKnown = false } = {},
): Promise<DecidedView> {
  const before = await lockInTerm(ctx, input)
  if (!isOpen(before.status)) throw new AppError('CONTRACT_CLOSED')
  const on = input.on ?? ctx.today
  if (!canEndOn(before, on, ctx.today)) throw new AppError('END_DAY_INVALID')
  const reason = isKnown ? input.reason : await knownReason(ctx, input.reason)
  const after = ending(before, on, ctx.today)
  return decide(ctx, { act: 'end', before, after, reason, note: input.note ?? null })
}

/**
 * Opens a closed contract again, with the status that it had, or keeps an ending one from ending.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, TERM_CHANGED, CONTRACT_OPEN
 */
export async function reopenContract(ctx: ActingContext, input: ReopenContract): Promise<DecidedView> {
  const { id, reminders } = input
  const before = await lockInTerm(ctx, input)
  if (isOpen(before.status) && before.endsOn === null) throw new AppError('CONTRACT_OPEN')
  const status = isOpen(before.status) ? before.status : await statusBefore(ctx, id)
  if (reminders) await muteRenewalDate(ctx, before, reminders === 'off')
  return decide(ctx, { act: 'reopen', before, after: reopened(ctx, before, status) })
}

async function muteRenewalDate({ write, accountId }: ActingContext, contract: DecidedContract, isMuted: boolean) {
  const date = isMuted ? contract.renewalDate : null
  await write(sql`
    update contracts set muted_renewal_date = ${date} where account_id = ${accountId} and id = ${contract.id}`)
}

/** Of a contract that was closed by a decision; active if nothing is known of that. */
async function statusBefore(ctx: ActingContext, id: number): Promise<ContractStatus> {
  const last = await lastDecision(ctx, id)
  const status = last && DecidedContract.parse(last.before).status
  return status && isOpen(status) ? status : 'active'
}

/** What a changed status means: that the contract ends without a reason, expires, or is open again. */
export async function decideByStatus(
  ctx: ActingContext,
  { id, status }: { id: number; status: ContractStatus },
): Promise<ContractView> {
  const before = await lockContract(ctx, id)
  const { decision: _decision, ...contract } = await decide(ctx, decisionBy(ctx, before, status))
  return contract
}

function decisionBy(ctx: ActingContext, before: DecidedContract, status: ContractStatus): Decision {
  if (isOpen(status)) return { act: 'reopen', before, after: reopened(ctx, before, status) }
  if (status === 'expired') return { act: 'expire', before, after: expiry(before, ctx.today) }
  return { act: 'end', before, after: ending(before, ctx.today, ctx.today) }
}

function reopened(ctx: ActingContext, before: DecidedContract, status: ContractStatus): DecidedContract {
  const contract = reopening(before, status, ctx.today)
  return isOpen(before.status) ? contract : startingOver(ctx, contract)
}

/** Occasions before now do not count. */
function startingOver({ services }: ActingContext, contract: DecidedContract): DecidedContract {
  return { ...contract, remindersSince: services.now() }
}

/** A contract's row in the term that a request names, if it names one. @throws CONTRACT_NOT_FOUND, TERM_CHANGED */
async function lockInTerm(
  ctx: ActingContext,
  { id, term }: Pick<ReopenContract, 'id' | 'term'>,
): Promise<DecidedContract> {
  const contract = await lockContract(ctx, id)
  if (term !== undefined && term !== contract.termNumber) throw refusalOf('term_changed', contract, ctx.today)
  return contract
}

/** A contract's row, which nobody else can change until the transaction ends. @throws CONTRACT_NOT_FOUND */
async function lockContract({ write, accountId }: ActingContext, id: number): Promise<DecidedContract> {
  const statement = sql`select ${DECIDED} ${contractsOf(accountId)} and k.id = ${id} for no key update`
  const [contract] = await write(statement, DecidedContract)
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  return contract
}

async function decide(ctx: ActingContext, decision: Decision): Promise<DecidedView> {
  const { write, accountId, today, services } = ctx
  const planning = isOpen(decision.after.status) ? sql`, planned as (${planningOfNew(ctx, [decision.after])})` : empty
  const result = sql`${planning} select ${CONTRACT_COLUMNS}, (select id from decided) as decision from k`
  const at = { accountId, now: services.now() }
  const [changed] = await write(carriedOut([decision], at, result), DecidedRow)
  if (!changed) throw new Error('A locked contract has disappeared')
  return { ...contractView(changed, today), decision: changed.decision }
}

async function lastDecision({ write, accountId }: ActingContext, contractId: number) {
  const statement = sql`
    select ${DECISION} from contract_decisions d
    where account_id = ${accountId} and contract_id = ${contractId} order by id desc limit 1`
  const [last] = await write(statement, DecisionRow)
  return last
}

export interface UndoneView extends ContractView {
  /** Where an email had already told the customer of the renewal that was undone, or may have. */
  alreadyTold: string[]
}

/**
 * Takes back the newest renewal, end, expiry or reopening of a contract, as if it had not been decided. What was changed
 * since and does not stand in the way is kept; emails that were sent stay sent, and others about the term that is gone are
 * not sent. What had happened by itself does not happen again.
 * @throws CONTRACT_NOT_FOUND, also for somebody else's, DECIDED_SINCE, NOTHING_TO_UNDO, UNDO_OVERTAKEN
 */
export async function undoDecision(ctx: ActingContext, { id, decision }: UndoDecision): Promise<UndoneView> {
  const { write, accountId, today, services } = ctx
  const now = await lockContract(ctx, id)
  const last = await lastDecision(ctx, id)
  if (decision !== undefined && decision !== last?.id) throw new AppError('DECIDED_SINCE')
  if (!last) throw new AppError('NOTHING_TO_UNDO')
  const { restored, overtakenBy } = undoOf(now, last)
  if (overtakenBy.length > 0) throw new AppError('UNDO_OVERTAKEN', { values: { fields: overtakenBy.join(', ') } })
  const at = { accountId, now: services.now() }
  const result = sql`, planned as (${planningOfNew(ctx, [restored])}) select ${CONTRACT_COLUMNS} from k`
  const statement = decisionsUndone([{ restored, decision: last }], at, result)
  const [changed] = await write(statement, ContractRow)
  if (!changed) throw new Error('A locked contract has disappeared')
  const terms = { after: restored.termNumber, through: now.termNumber }
  const isRenewal = terms.after < terms.through
  const alreadyTold = isRenewal ? await confirmedAddresses(write, { accountId, contractId: id, ...terms }) : []
  return { ...contractView(changed, today), alreadyTold }
}
