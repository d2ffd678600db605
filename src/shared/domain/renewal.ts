import { isOpen, type ContractStatus } from './contract-status.ts'
import { addMonths, daysBetween, monthsBetween, toDay, type Day } from './day.ts'
import type { Cents } from './money.ts'
import { monthsOf, nextRenewal, type RenewalCycle } from './renewal-cycle.ts'
import type { Renews } from './renews.ts'

/** How many decisions about a contract can be undone, one after another. Older ones are forgotten; terms are not. */
export const MOST_UNDONE = 50

/** A contract's current term, and what has been settled about its next one. */
export interface RenewableContract {
  status: ContractStatus
  amountCents: Cents
  renewalCycle: RenewalCycle
  startDate: Day
  /** The first day after the term. */
  renewalDate: Day
  renews: Renews
  /** From 1. */
  termNumber: number
  /** Null in the first term: see `termStartOf`. */
  termStart: Day | null
  /** The day whose day of the month the cycle keeps; null is the start date. */
  anchorDate: Day | null
  /** What the next term costs; null if that stays the same. */
  nextAmountCents: Cents | null
  nextCycle: RenewalCycle | null
  /** The day on which the contract ends or ended; null if that was not decided, or not recorded. */
  endsOn: Day | null
  /** A renewal date on which nothing happens by itself, because that was undone. */
  heldRenewalDate: Day | null
}

/** A term that another one follows. */
export interface ClosedTerm {
  number: number
  startDate: Day
  /** The first day of the next term, unless that began late. */
  renewalDate: Day
  amountCents: Cents
  renewalCycle: RenewalCycle
}

export interface RenewalRequest {
  amountCents?: Cents | undefined
  renewalCycle?: RenewalCycle | undefined
  renewalDate?: Day | undefined
  /** Whether the new term follows on from the old one, or starts today, which only an overdue contract can. */
  from?: 'term' | 'today' | undefined
  /** The number of the running term as the caller saw it. */
  term?: number | undefined
}

export type RenewalObstacle =
  | 'closed'
  | 'ending'
  | 'term_changed'
  | 'not_begun'
  | 'not_overdue'
  | 'too_short'
  | 'too_late'
  | 'too_many'

/** A year later the calendar ends. */
const LATEST_RENEWAL = toDay('2998-12-31')

/** A hundred years of months. */
export const MOST_TERMS = 1200

/** A contract in its new term, and the terms that this closed. */
export interface Renewed<Contract extends RenewableContract> {
  contract: Contract
  closed: ClosedTerm[]
}

/** Enough for five years of months. A contract that is further behind needs a person. */
const MOST_TERMS_AT_ONCE = 60

type TermDates = Pick<RenewableContract, 'termStart' | 'startDate' | 'renewalDate' | 'renewalCycle'>

/**
 * The first day of the current term. In the first term it is one cycle before the renewal date, but not before the start
 * date: no terms are made up for the time before TRAXX knew the contract.
 */
export function termStartOf({ termStart, startDate, renewalDate, renewalCycle }: TermDates): Day {
  if (termStart !== null) return termStart
  const sinceStart = monthsBetween(startDate, renewalDate)
  const months = monthsOf(renewalCycle)
  if (sinceStart < months) return startDate
  if (renewalDate === addMonths(startDate, sinceStart)) return addMonths(startDate, sinceStart - months)
  const begun = addMonths(renewalDate, -months)
  return begun < startDate ? startDate : begun
}

/**
 * What is stored as the first day of the term that a new contract is in: null in the first term. In a later one it is one
 * cycle before the renewal date if it is not known.
 */
export function newTermStart({ termNumber, ...dates }: TermDates & Pick<RenewableContract, 'termNumber'>): Day | null {
  return termNumber === 1 ? null : termStartOf(dates)
}

/** Why a contract cannot be renewed like this today; undefined if it can. */
export function obstacleToRenewal(
  contract: RenewableContract,
  request: RenewalRequest,
  today: Day,
): RenewalObstacle | undefined {
  if (request.term !== undefined && request.term !== contract.termNumber) return 'term_changed'
  if (!isOpen(contract.status)) return 'closed'
  if (contract.endsOn !== null) return 'ending'
  if (contract.termNumber >= MOST_TERMS) return 'too_many'
  // A second click would renew for another term, unless the caller has seen the first one's result.
  if (request.term === undefined && termStartOf(contract) > today) return 'not_begun'
  if (request.from === 'today' && contract.renewalDate > today) return 'not_overdue'
  if (request.renewalDate === undefined && contract.renewalDate > LATEST_RENEWAL) return 'too_late'
  const { contract: next } = renewal(contract, request, today)
  return next.renewalDate <= termStartOf(next) ? 'too_short' : undefined
}

/**
 * Closes the running term and opens the next one, with the scheduled change unless the request says otherwise. The
 * request must have no obstacle. A late renewal from today makes today the anchor; the days between are no term.
 */
export function renewal<Contract extends RenewableContract>(
  contract: Contract,
  request: RenewalRequest,
  today: Day,
): Renewed<Contract> {
  const startsToday = request.from === 'today' && contract.renewalDate < today
  const termStart = startsToday ? today : contract.renewalDate
  const anchorDate = startsToday ? today : contract.anchorDate
  const renewalCycle = request.renewalCycle ?? contract.nextCycle ?? contract.renewalCycle
  const amountCents = request.amountCents ?? contract.nextAmountCents ?? contract.amountCents
  const next = { ...contract, termStart, anchorDate, renewalCycle, amountCents }
  return {
    contract: {
      ...next,
      renewalDate:
        request.renewalDate ?? nextRenewal({ startDate: anchorOf(next), renewalDate: termStart, renewalCycle }),
      termNumber: contract.termNumber + 1,
      nextAmountCents: null,
      nextCycle: null,
      heldRenewalDate: null,
    },
    closed: [closedTerm(contract)],
  }
}

function closedTerm(contract: RenewableContract): ClosedTerm {
  const { termNumber: number, renewalDate, amountCents, renewalCycle } = contract
  return { number, startDate: termStartOf(contract), renewalDate, amountCents, renewalCycle }
}

/** Whether a contract can end on this day: today, or later in the running term. */
export function canEndOn(contract: RenewableContract, day: Day, today: Day): boolean {
  return day === today || (day > today && day <= contract.renewalDate)
}

/** The contract after it has been decided that it ends on a day; it stays open until then. */
export function ending<Contract extends RenewableContract>(contract: Contract, on: Day, today: Day): Contract {
  return { ...contract, endsOn: on, status: on <= today ? 'cancelled' : contract.status }
}

/** The contract after its last term has run out without a renewal. */
export function expiry<Contract extends RenewableContract>(contract: Contract, today: Day): Contract {
  const endsOn = contract.renewalDate < today ? contract.renewalDate : today
  return { ...contract, status: 'expired', endsOn }
}

/** The contract open again, or no longer ending. Nothing happens by itself on a renewal date that has come already. */
export function reopening<Contract extends RenewableContract>(
  contract: Contract,
  status: ContractStatus,
  today: Day,
): Contract {
  const heldRenewalDate = contract.renewalDate <= today ? contract.renewalDate : contract.heldRenewalDate
  return { ...contract, status, endsOn: null, heldRenewalDate }
}

export type ActByItself = 'renew' | 'end' | 'expire'

export interface DoneByItself<Contract extends RenewableContract> extends Renewed<Contract> {
  act: ActByItself
}

/**
 * What happens to a contract at the start of the account's day; undefined if nothing does. Terms that were missed are made
 * up, at most 60; a scheduled change applies to the first of them. A contract that has had all the terms that it can have
 * expires. One that renews by agreement stays overdue, or ends as many days after its renewal date as the account says.
 */
export function byItself<Contract extends RenewableContract>(
  contract: Contract,
  today: Day,
  endOverdueAfterDays: number | null,
): DoneByItself<Contract> | undefined {
  const { status, endsOn, renewalDate, renews, termNumber, heldRenewalDate } = contract
  if (!isOpen(status)) return undefined
  if (endsOn !== null) {
    return endsOn <= today ? { act: 'end', contract: { ...contract, status: 'cancelled' }, closed: [] } : undefined
  }
  if (status !== 'active' || renewalDate > today || renewalDate === heldRenewalDate) return undefined
  const isLast = renews === 'never' || (renews === 'automatic' && termNumber >= MOST_TERMS)
  if (isLast) return { act: 'expire', contract: expiry(contract, today), closed: [] }
  if (renews === 'automatic') return { act: 'renew', ...madeUp(contract, today) }
  const isOverdueTooLong = endOverdueAfterDays !== null && daysBetween(renewalDate, today) >= endOverdueAfterDays
  return isOverdueTooLong ? { act: 'end', contract: ending(contract, today, today), closed: [] } : undefined
}

function madeUp<Contract extends RenewableContract>(contract: Contract, today: Day): Renewed<Contract> {
  let now = contract
  const closed: ClosedTerm[] = []
  const last = Math.min(MOST_TERMS, contract.termNumber + MOST_TERMS_AT_ONCE)
  while (now.renewalDate <= today && now.termNumber < last) {
    const next = renewal(now, {}, today)
    closed.push(...next.closed)
    now = next.contract
  }
  const { renewalDate } = now
  return { contract: renewalDate > today ? now : { ...now, heldRenewalDate: renewalDate }, closed }
}

function anchorOf({ anchorDate, startDate }: RenewableContract): Day {
  return anchorDate ?? startDate
}
