import { dayAt, daysLater, isOpen, type Cycle, type DecidedState, type ModelContract } from './model.ts'

export const MONTHS: Record<Cycle, number> = { monthly: 1, quarterly: 3, yearly: 12 }
const MOST_AT_ONCE = 60

export interface Moment {
  now: number
  today: string
}

/** Of a contract, what decisions change. */
export function decidedOf(contract: DecidedState): DecidedState {
  const { renewalDate, amount, cycle, status, term, termStart, anchor, nextAmount, endsOn, held, since } = contract
  return { renewalDate, amount, cycle, status, term, termStart, anchor, nextAmount, endsOn, held, since }
}

/** In its next term, which begins on the old renewal date, or today if it is late. */
export function renewed(old: DecidedState, { now, today }: Moment, from: 'term' | 'today' = 'term'): DecidedState {
  const isFromToday = from === 'today' && old.renewalDate < today
  const termStart = isFromToday ? today : old.renewalDate
  const anchor = isFromToday ? today : old.anchor
  return {
    ...decidedOf(old),
    renewalDate: nextDate(termStart, anchor, MONTHS[old.cycle]),
    amount: old.nextAmount ?? old.amount,
    nextAmount: null,
    term: old.term + 1,
    termStart,
    anchor,
    held: null,
    since: now,
  }
}

export function ended(old: DecidedState, on: string, today: string): DecidedState {
  return { ...decidedOf(old), endsOn: on, status: on <= today ? 'cancelled' : old.status }
}

export function expired(old: DecidedState, today: string): DecidedState {
  return { ...decidedOf(old), status: 'expired', endsOn: old.renewalDate < today ? old.renewalDate : today }
}

/** Open again; a date that has come waits for its owner. */
export function reopened(old: ModelContract, status: string, { now, today }: Moment): DecidedState {
  const held = old.renewalDate <= today ? old.renewalDate : old.held
  return { ...decidedOf(old), status, endsOn: null, held, since: isOpen(old) ? old.since : now }
}

export interface DoneByItself {
  after: DecidedState
  /** It was decided before. */
  isContinued: boolean
  /** A contract by agreement ends some days after its date, which is looked at once a day. */
  isOverdue: boolean
}

/** What happens to a contract at the start of its account's day. */
export function byItself(contract: ModelContract, moment: Moment): DoneByItself | undefined {
  const { endsOn, status, renewalDate, renews, held, account } = contract
  const { today } = moment
  if (!isOpen(contract)) return undefined
  const done = (after: DecidedState) => ({ after, isContinued: false, isOverdue: false })
  if (endsOn !== null)
    return endsOn <= today ? { ...done({ ...decidedOf(contract), status: 'cancelled' }), isContinued: true } : undefined
  if (status !== 'active' || renewalDate > today || held === renewalDate) return undefined
  if (renews === 'never') return done(expired(contract, today))
  // Reminders about a contract that has just been imported start a day later.
  if (renews === 'automatic') return done({ ...madeUp(contract, moment), since: Math.max(moment.now, contract.since) })
  const isTooLate = account.endOverdueAfter !== null && daysLater(renewalDate, account.endOverdueAfter) <= today
  return isTooLate ? { ...done(ended(contract, today, today)), isOverdue: true } : undefined
}

/** The contract as it is minutes after it was saved: whatever has waited for jobs longer ends on another day. */
export function settled(contract: ModelContract, moment: Moment): DecidedState {
  const account = { ...contract.account, endOverdueAfter: null }
  return byItself({ ...contract, account }, moment)?.after ?? decidedOf(contract)
}

function madeUp(contract: DecidedState, moment: Moment): DecidedState {
  let state = decidedOf(contract)
  for (let terms = 0; terms < MOST_AT_ONCE && state.renewalDate <= moment.today; terms += 1)
    state = renewed(state, moment)
  return state.renewalDate <= moment.today ? { ...state, held: state.renewalDate } : state
}

/** Customers are told of renewals by themselves in the night of the day, or the one after; not of what an import began. */
export function isNews({ since, account }: ModelContract, { termStart }: DecidedState, { today }: Moment): boolean {
  return (termStart ?? '') >= daysLater(today, -1) && dayAt(since, account.timeZone) <= today
}

/** On the anchor's day of the month, unless another one was agreed. */
function nextDate(from: string, anchor: string, months: number): string {
  const [day, wanted] = [dayOf(from), dayOf(anchor)]
  const isLast = day === lastDay(from)
  const isOnAnchor = day === Math.min(wanted, lastDay(from))
  const agreed = isLast ? 31 : day
  const [year = 0, month = 0] = from.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
  const kept = Math.min(isOnAnchor ? wanted : agreed, lastDay(first))
  return `${first.slice(0, 8)}${String(kept).padStart(2, '0')}`
}

function dayOf(date: string): number {
  return Number(date.slice(8))
}

function lastDay(date: string): number {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Whether something happens by itself on a day that is known; then follow-ups end before it. */
export function actsByItself({ status, renews, endsOn, held, renewalDate }: ModelContract): boolean {
  if (endsOn !== null) return isOpenAs(status)
  return status === 'active' && renews !== 'by_agreement' && held !== renewalDate
}

export function isOpenAs(status: string): boolean {
  return status === 'pending' || status === 'active'
}
