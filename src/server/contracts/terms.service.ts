import sql from 'sql-template-tag'
import { z } from 'zod'
import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { amountFromCents } from '#shared/domain/money.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { termStartOf } from '#shared/domain/renewal.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Act } from '#shared/schemas/renewals.ts'
import { ContractDecisionEntity, ContractTermEntity } from './contract-history.entity.ts'
import { contractsOf } from './contract.rows.ts'
import { DECIDED, DecidedContract } from './decisions.ts'
import { undoOf } from './undo.ts'

export interface TermView {
  number: number
  startDate: Day
  /** The first day after the term. */
  renewalDate: Day
  /** US dollars with at most two decimals. */
  amount: number
  renewalCycle: RenewalCycle
  outcome: 'running' | 'renewed' | 'ended' | 'expired'
  /** When its outcome was decided; null while it is running, and where nothing is known of that. */
  decidedAt: Date | null
  /** Who decided: 'person', 'key', 'job', and so on. */
  decidedBy: string | null
  /** Why it ended. */
  reason: string | null
  note: string | null
  /**
   * Of the current term: the newest decision about the contract, if it can be undone. Null of earlier terms, if nothing was
   * decided, and where a later change stands in the way.
   */
  undoes: Act | null
  /** The ID of that decision; null where `undoes` is. */
  decision: number | null
  /** Of the current term: nothing happens by itself on its renewal date, because that was undone or the contract reopened. */
  isHeld: boolean
}

const CLOSED = columnsOf(ContractTermEntity, 't', [
  'number',
  'startDate',
  'renewalDate',
  'amountCents',
  'renewalCycle',
  'decidedAt',
  'decidedBy',
])
const DECISION = columnsOf(ContractDecisionEntity, 'd', [
  'id',
  'act',
  'decidedAt',
  'decidedBy',
  'reason',
  'note',
  'before',
  'after',
])
const ClosedRow = z.object(CLOSED.fields)
const DecisionRow = z.object(DECISION.fields)
type DecisionRow = z.output<typeof DecisionRow>

const CurrentRow = DecidedContract.extend({ closed: z.array(ClosedRow), decision: DecisionRow.nullable() })

/** All terms of a contract, newest first. @throws CONTRACT_NOT_FOUND, also for somebody else's. */
export async function listTerms({ read, accountId }: ReaderContext, { id }: ById): Promise<TermView[]> {
  const statement = sql`
    select ${DECIDED},
      (select coalesce(json_agg(row_to_json(o) order by o.number desc), '[]') from (
        select ${CLOSED} from contract_terms t where t.account_id = k.account_id and t.contract_id = k.id) o) as closed,
      (select row_to_json(o) from (select ${DECISION} from contract_decisions d
        where d.account_id = k.account_id and d.contract_id = k.id order by d.id desc limit 1) o) as decision
    ${contractsOf(accountId)} and k.id = ${id}`
  const [contract] = await read(statement, CurrentRow)
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  return [currentTerm(contract, contract.decision), ...contract.closed.map(closedTerm)]
}

function currentTerm(contract: DecidedContract, decision: DecisionRow | null): TermView {
  const { termNumber: number, renewalDate, amountCents, renewalCycle, status, endsOn } = contract
  const isDecided = !isOpen(status) || endsOn !== null
  const isEnd = decision?.act === 'end' || decision?.act === 'expire'
  return {
    number,
    startDate: termStartOf(contract),
    renewalDate,
    amount: amountFromCents(amountCents),
    renewalCycle,
    outcome: OUTCOMES[status],
    ...(isDecided && isEnd ? endOf(decision) : UNDECIDED),
    ...undoable(contract, decision),
    isHeld: contract.heldRenewalDate === renewalDate,
  }
}

function undoable(contract: DecidedContract, decision: DecisionRow | null): typeof NOT_UNDOABLE {
  if (!decision || undoOf(contract, decision).overtakenBy.length > 0) return NOT_UNDOABLE
  return { undoes: decision.act, decision: decision.id }
}

const NOT_UNDOABLE: Pick<TermView, 'undoes' | 'decision'> = { undoes: null, decision: null }

function endOf({ decidedAt, decidedBy, reason, note }: DecisionRow): typeof UNDECIDED {
  return { decidedAt, decidedBy: kindOf(decidedBy), reason, note }
}

const OUTCOMES: Record<ContractStatus, TermView['outcome']> = {
  pending: 'running',
  active: 'running',
  expired: 'expired',
  cancelled: 'ended',
}

const UNDECIDED: Pick<TermView, 'decidedAt' | 'decidedBy' | 'reason' | 'note'> = {
  decidedAt: null,
  decidedBy: null,
  reason: null,
  note: null,
}

function closedTerm({ amountCents, decidedBy, ...term }: z.output<typeof ClosedRow>): TermView {
  const amount = amountFromCents(amountCents)
  const current = { ...NOT_UNDOABLE, isHeld: false }
  return { ...term, amount, decidedBy: kindOf(decidedBy), outcome: 'renewed', reason: null, note: null, ...current }
}

/** An actor without its number. */
function kindOf(actor: string | null): string | null {
  return actor === null ? null : (actor.split(':')[0] ?? null)
}
