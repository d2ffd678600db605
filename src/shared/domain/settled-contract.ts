import { isOpen } from './contract-status.ts'
import type { Day } from './day.ts'
import { byItself, type RenewableContract } from './renewal.ts'

/** What a contract is like about which nothing has been decided yet. */
export const UNDECIDED = {
  termNumber: 1,
  termStart: null,
  anchorDate: null,
  nextAmountCents: null,
  nextCycle: null,
  endsOn: null,
  heldRenewalDate: null,
} satisfies Partial<RenewableContract>

/**
 * The first day of the account's calendar on which something happens by itself to a contract: it is renewed, expires or
 * ends. Null if nothing does on a day that is known, as where an overdue contract ends some days later. The column
 * `acts_on` of contracts is the same.
 */
export function actsOn({
  status,
  endsOn,
  renewalDate,
  renews,
  heldRenewalDate,
}: Pick<RenewableContract, 'status' | 'endsOn' | 'renewalDate' | 'renews' | 'heldRenewalDate'>): Day | null {
  if (!isOpen(status)) return null
  if (endsOn !== null) return endsOn
  return status === 'active' && renews !== 'by_agreement' && heldRenewalDate !== renewalDate ? renewalDate : null
}

/**
 * A contract as it is shortly after it is saved: what is due by today happens to it by itself within minutes. One that
 * renews automatically, with a renewal date that has come, is then in a later term.
 */
export function asSettled<Contract extends RenewableContract>(contract: Contract, today: Day): Contract {
  return byItself(contract, today, null)?.contract ?? contract
}
