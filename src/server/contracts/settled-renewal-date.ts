import type { Day } from '#shared/domain/day.ts'
import { asSettled } from '#shared/domain/settled-contract.ts'
import { DecidedContract } from './decisions.ts'

const Terms = DecidedContract.omit({ id: true, customerId: true, remindersSince: true })

/**
 * The renewal date about which the next emails to a contract's customer are: its own, or the next one if it is about to be
 * renewed by itself. Takes whatever has the columns of a contract.
 */
export function settledRenewalDate(contract: object, today: Day): Day {
  return asSettled(Terms.parse(contract), today).renewalDate
}
