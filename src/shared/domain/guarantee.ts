import { daysBetween, type Day } from './day.ts'

/** For how many days after the first payment its owner can ask for it back. */
export const GUARANTEE_DAYS = 14

/** Whether somebody who paid on one day and wrote on another gets the payment back; both in the account's time zone. */
export function isWithinGuarantee(paidOn: Day, writtenOn: Day): boolean {
  return daysBetween(paidOn, writtenOn) <= GUARANTEE_DAYS
}
