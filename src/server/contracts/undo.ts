import { z } from 'zod'
import { columnsOf } from '#server/db/columns.ts'
import { ContractDecisionEntity } from './contract-history.entity.ts'
import { DecidedContract } from './decisions.ts'

export const DECISION = columnsOf(ContractDecisionEntity, 'd', [
  'id',
  'act',
  'decidedAt',
  'decidedBy',
  'before',
  'after',
])
export const DecisionRow = z.object(DECISION.fields)
type DecisionRow = z.output<typeof DecisionRow>

/** What must not have changed since, with the names that people read. */
const OVERTAKING: [keyof DecidedContract, string][] = [
  ['amountCents', 'Amount'],
  ['renewalCycle', 'Renewal Cycle'],
  ['startDate', 'Start Date'],
  ['renewalDate', 'Renewal Date'],
  ['status', 'Status'],
  ['termNumber', 'Term'],
  ['termStart', 'Term'],
  ['customerId', 'Customer'],
]

/**
 * A contract as it was before its newest decision. Later changes that do not conflict are kept. The names of those that
 * do are `overtakenBy`; then nothing may be restored.
 */
export function undoOf(now: DecidedContract, last: DecisionRow): { restored: DecidedContract; overtakenBy: string[] } {
  const [before, after] = [DecidedContract.parse(last.before), DecidedContract.parse(last.after)]
  const restored = DecidedContract.parse({ ...now, ...unchangedSince({ before, after, now }) })
  // What happened by itself and is undone does not happen again.
  if (last.decidedBy.startsWith('job:')) restored.heldRenewalDate = restored.renewalDate
  const overtakenBy = OVERTAKING.filter(([name]) => now[name] !== after[name]).map(([, label]) => label)
  return { restored, overtakenBy: [...new Set(overtakenBy)] }
}

/** The columns that the decision changed and nobody has changed since, as they were before it. */
function unchangedSince({ before, after, now }: Record<'before' | 'after' | 'now', DecidedContract>) {
  const [values, decided] = [new Map(Object.entries(now)), new Map(Object.entries(after))]
  const isSame = (name: string) => JSON.stringify(values.get(name)) === JSON.stringify(decided.get(name))
  return Object.fromEntries(Object.entries(before).filter(([name]) => isSame(name)))
}
