import { isDeepStrictEqual as isSame } from 'node:util'
import type { ContractView } from '#server/contracts/contract.view.ts'
import type { TermView } from '#server/contracts/terms.service.ts'
import { isInTrash, type ActivityEntry, type ContractState, type States } from './contract-state.ts'

/** Something that was done, with all contracts before and after it. */
export interface Step {
  name: string
  actor: string
  today: string
  /** The key of the refusal, if the rules refused it. */
  refusal: string | undefined
  before: States
  after: States
  /** The imports that can be undone, before and after it. */
  imports: { before: number[]; after: number[] }
  /** What the activity has told of it. */
  activity: ActivityEntry[]
  /** Late renewals that began on the day of the renewal: the terms that do not follow on from the one before. */
  lateStarts: Set<string>
}

type Law = (step: Step) => string[]

const refusalsChangeNothing: Law = ({ refusal, before, after }) =>
  refusal === undefined || isSame(before, after) ? [] : [`it was refused as ${refusal}, and something has changed`]

/** Numbers without a gap; each term begins where the one before ended, unless it was renewed late, from that day. */
const termsFollowOneAnother: Law = (step) =>
  eachContract(step.after, (state) => {
    const current = { number: state.row['term_number'], start: state.row['term_start'] }
    const following = [...state.terms.slice(1).map(({ number, start_date: start }) => ({ number, start })), current]
    const isFirst = state.terms.length === 0 && current.number === 1
    if (isFirst) return []
    return state.terms.flatMap((term, index) => {
      const next = following[index]
      if (term.number !== index + 1 || next?.number !== index + 2) return [`term ${term.number} is out of order`]
      if (term.start_date > term.renewal_date) return [`term ${term.number} ends before it begins`]
      if (next.start === term.renewal_date || isLateStart(step, state, next.number)) return []
      return [`term ${next.number} begins on ${String(next.start)}, after one until ${term.renewal_date}`]
    })
  })

function isLateStart({ name, today, before, lateStarts }: Step, { id, row }: ContractState, number: number): boolean {
  const key = `${id} ${number}`
  const isNew = row['term_number'] === number && before.get(id)?.row['term_number'] === number - 1
  const isFromToday = row['term_start'] === today && row['anchor_date'] === today
  if (isNew && isFromToday && (name === 'renew' || name === 'change many')) lateStarts.add(key)
  return lateStarts.has(key)
}

/** What is over stays as it was; a first term can begin later or earlier with its contract. */
const historyStays: Law = ({ before, after }) =>
  eachContract(after, ({ id, row, terms }) =>
    (before.get(id)?.terms ?? []).flatMap((term) => {
      const isMoved = row['start_date'] !== before.get(id)?.row['start_date'] && term.number === 1
      const now = terms[term.number - 1]
      if (Number(row['term_number']) <= term.number)
        return now ? [`term ${term.number} is gone, and is still there`] : []
      return isSame(now, isMoved ? { ...term, start_date: now?.start_date } : term)
        ? []
        : [`term ${term.number} has changed`]
    }),
  )

const nothingIsSentAboutWhatIsOver: Law = ({ after }) =>
  eachContract(after, (state) => {
    const { row, messages } = state
    if (isInTrash(state)) return []
    const isOpen = row['status'] === 'active' || row['status'] === 'pending'
    const planned = messages.filter(({ state, kind }) => state === 'planned' && kind !== 'manual')
    const wrong = planned.filter(
      ({ term, recipient }) =>
        !isOpen || term !== row['term_number'] || (row['ends_on'] !== null && recipient === 'customer'),
    )
    return wrong.map(
      ({ id, term, recipient }) => `message ${id} to the ${recipient} about term ${term} is still planned`,
    )
  })

/** However often a renewal is undone and repeated. */
const eachTermIsConfirmedOnce: Law = ({ after }) =>
  eachContract(after, ({ messages }) => {
    const terms = messages.filter(({ kind }) => kind === 'confirmation').map(({ term }) => term)
    return terms.filter((term, index) => terms.indexOf(term) !== index).map((term) => `term ${term} is confirmed twice`)
  })

/** What it said before, and what it tells of the changes, is what it is now. */
const activityTellsEachChange: Law = ({ actor, before, after, activity }) => {
  const faults = activity.filter((entry) => entry.actor !== actor).map((entry) => `the activity names ${entry.actor}`)
  const told = new Map([...before].map(([id, { row }]) => [id, recordedOf(row)]))
  for (const { contractId, before: was, after: is } of activity) {
    const known = told.get(contractId)
    const isKnown = Object.entries(was).every(([name, value]) => known === undefined || isSame(known[name], value))
    if (!isKnown) faults.push(`the activity of contract ${contractId} tells what was not so`)
    if (is) told.set(contractId, { ...known, ...is })
    else told.delete(contractId)
  }
  for (const [id, { row }] of after)
    if (told.has(id) && !isSame(told.get(id), recordedOf(row)))
      faults.push(`contract ${id} has changed, and no activity tells`)
  for (const id of told.keys()) if (!after.has(id)) faults.push(`contract ${id} was deleted, and no activity tells`)
  return faults
}

const UNRECORDED = new Set([
  'id',
  'account_id',
  'created_at',
  'created_by',
  'import_id',
  'edited_at',
  'version',
  'reminders_since',
  'pdf_bytes',
  'open_first',
  'term_start',
  'anchor_date',
  'held_renewal_date',
  'acts_on',
  'notice_date',
])

function recordedOf(row: ContractState['row']) {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !UNRECORDED.has(name)))
}

const versionsGrow: Law = ({ before, after }) =>
  eachContract(after, ({ id, row }) => {
    const old = before.get(id)?.row
    if (!old || isSame(old, row)) return []
    return Number(row['version']) > Number(old['version']) ? [] : ['it has changed, and its version has not grown']
  })

/** Whatever happens by itself has happened after the night, once; what was undone has not happened again. */
const nightsAreComplete: Law = ({ name, today, before, after }) =>
  name !== 'night'
    ? []
    : eachContract(after, (state) => {
        const { id, row } = state
        const old = before.get(id)?.row ?? {}
        if (isInTrash(state)) return isSame(old, row) ? [] : ['something has happened to it in the trash']
        const isHeld = old['held_renewal_date'] !== null && old['held_renewal_date'] === old['renewal_date']
        if (isHeld && old['ends_on'] === null && !isSame(old, row)) return ['it was undone, and has happened again']
        return typeof row['acts_on'] === 'string' && row['acts_on'] <= today ? ['the night has left it out'] : []
      })

export const LAWS: Law[] = [
  refusalsChangeNothing,
  termsFollowOneAnother,
  historyStays,
  nothingIsSentAboutWhatIsOver,
  eachTermIsConfirmedOnce,
  activityTellsEachChange,
  versionsGrow,
  nightsAreComplete,
]

export function eachContract(states: States, look: (state: ContractState) => string[]): string[] {
  return [...states.values()].flatMap((state) => look(state).map((fault) => `contract ${state.id}: ${fault}`))
}

const OUTCOMES: Record<string, string> = {
  pending: 'running',
  active: 'running',
  expired: 'expired',
  cancelled: 'ended',
}

function pick(of: object, names: readonly string[]) {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)))
}

/** The contract is its current term, and the list of terms has all of them. */
export function faultsOfView({ id, row, terms }: ContractState, contract: ContractView, listed: TermView[]): string[] {
  const [shown, ...closed] = listed
  const { term, termStart, renewalDate, amount, renewalCycle, status } = contract
  const expected = { number: term, startDate: termStart, renewalDate, amount, renewalCycle, outcome: OUTCOMES[status] }
  const running = shown && pick(shown, Object.keys(expected))
  const faults = isSame(running, expected) ? [] : ['the current term is not the contract']
  if (row['renewal_date'] !== renewalDate || row['term_number'] !== term) faults.push('the call and the row differ')
  const numbers = closed.map(({ number, outcome }) => `${number} ${outcome}`)
  if (!isSame(numbers, terms.map(({ number }) => `${number} renewed`).toReversed()))
    faults.push('terms are missing in the list')
  return faults.map((fault) => `contract ${id}: ${fault}`)
}
