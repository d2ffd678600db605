import { isDeepStrictEqual as isSame } from 'node:util'
import type { ContractState, Message } from './contract-state.ts'
import { eachContract, type Step } from './laws.ts'

/** A decision that can be undone, with its contract before and after it. */
interface Decided {
  by: string
  before: ContractState
  after: ContractState
}

/** What undo must not find changed, and puts back. */
const DECIDED = ['status', 'amount_cents', 'renewal_cycle', 'renewal_date', 'start_date', 'customer_id', 'term_number']
/** What counts changes, or follows from the other columns. */
const COUNTED = new Set(['version', 'edited_at', 'acts_on', 'held_renewal_date', 'open_first', 'notice_date'])

/** Undo is the exact inverse of what it undoes. */
export class Undoing {
  readonly #decided = new Map<number, Decided>()

  faultsOf(step: Step): string[] {
    return eachContract(step.after, (state) => this.#faultsOf(step, state))
  }

  #faultsOf({ before: all, name }: Step, state: ContractState): string[] {
    const before = all.get(state.id)
    if (!before) return []
    const made = state.decisions.filter(({ id }) => !before.decisions.some((one) => one.id === id))
    const undone = before.decisions.filter(({ id }) => !state.decisions.some((one) => one.id === id))
    if (made.length + undone.length > 1) return ['one step has decided twice']
    const decidedFrom = name === 'edit' ? edited(before, state) : before
    for (const { id, by } of made) this.#decided.set(id, { by, before: decidedFrom, after: state })
    const newest = this.#decided.get(state.decisions.at(-1)?.id ?? 0)
    // The night carries out an end that was decided before.
    const isContinued = name === 'night' && made.length === 0 && before.row['status'] !== state.row['status']
    if (newest && isContinued) newest.after = { ...state, row: { ...newest.after.row, ...changes(before, state) } }
    return undone.flatMap(({ id }) => {
      const decided = this.#decided.get(id)
      return decided ? faultsOfUndo(decided, before, state) : []
    })
  }
}

/** What an edit changes besides. Ending or reopening a contract leaves that as it is. */
const EDITED = ['title', 'tags', 'amount_cents', 'renewal_cycle', 'renewal_date', 'start_date', 'renews']

/** An edit that ends or reopens a contract has saved its other changes before. */
function edited(before: ContractState, { row, terms }: ContractState): ContractState {
  const isMoved = before.row['renewal_date'] !== row['renewal_date']
  const names = isMoved ? [...EDITED, 'reminders_since'] : EDITED
  return { ...before, terms, row: { ...before.row, ...Object.fromEntries(names.map((name) => [name, row[name]])) } }
}

function faultsOfUndo(decided: Decided, now: ContractState, restored: ContractState): string[] {
  const overtaken = DECIDED.filter((name) => !isSame(now.row[name], decided.after.row[name]))
  if (overtaken.length > 0) return [`it was undone though ${overtaken.join(', ')} had been changed since`]
  const isUntouched = isSame(comparable(now), comparable(decided.after))
  const names = isUntouched ? Object.keys(comparable(now)) : DECIDED
  const faults = names
    .filter((name) => !isSame(restored.row[name], decided.before.row[name]))
    .map((name) => `${name} was ${String(decided.before.row[name])}, and is ${String(restored.row[name])} after undo`)
  const isByItself = decided.by.startsWith('job:')
  // A later decision that happened by itself and was undone keeps it, too.
  const isHeldSince = now.row['held_renewal_date'] !== decided.after.row['held_renewal_date']
  const heldBefore = (isHeldSince ? now : decided.before).row['held_renewal_date']
  const held = isByItself ? restored.row['renewal_date'] : heldBefore
  if (isUntouched && restored.row['held_renewal_date'] !== held)
    faults.push('undo has not kept it from happening again')
  if (!isSame(restored.terms, decided.before.terms)) faults.push('its terms are not those from before')
  return [...faults, ...faultsOfMessages(decided, now, restored)]
}

function changes(before: ContractState, after: ContractState) {
  return Object.fromEntries(Object.entries(after.row).filter(([name, value]) => !isSame(before.row[name], value)))
}

function comparable({ row }: ContractState) {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !COUNTED.has(name)))
}

/** What the decision did to each message is undone, unless something else has become of it since. */
function faultsOfMessages(decided: Decided, now: ContractState, restored: ContractState): string[] {
  // An unsent confirmation of a renewal that had been undone is planned again when that is repeated.
  const isConfirmedAgain = ({ kind, term }: Message) =>
    kind === 'confirmation' && term > Number(decided.before.row['term_number'])
  return decided.before.messages.flatMap((before) => {
    if (isConfirmedAgain(before)) return []
    const find = ({ messages }: ContractState): Message | undefined => messages.find(({ id }) => id === before.id)
    const [after, current, last] = [find(decided.after), find(now), find(restored)]
    if (!isSame(after, current) || isSame(last, before)) return []
    return [`message ${before.id} was ${stateOf(before)}, became ${stateOf(after)}, and is ${stateOf(last)} after undo`]
  })
}

function stateOf(message: Message | undefined): string {
  return message ? [message.state, message.reason].filter(Boolean).join(' ') : 'gone'
}
