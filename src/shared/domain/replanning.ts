import { isOpen, type ContractStatus } from './contract-status.ts'
import type { Term } from './contract-term.ts'
import { addDays, type Day, type DaySpan } from './day.ts'
import { instantOf } from './reminder-hour.ts'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from './reminder-preferences.ts'

/** Minutes from a change of a contract to its planning: time to correct a mistake. */
export const REPLAN_AFTER_MINUTES = 5

/**
 * Reminders' occasions count from this many days after an import, so that nobody is reminded on the day of the import. A
 * notice whose window is open does not wait.
 */
export const IMPORT_QUIET_DAYS = 1

/**
 * From when on reminders count about contracts that are imported today, in an IANA time zone. Only its day counts; noon
 * keeps that the same if the account changes to a zone up to eleven hours away.
 */
export function quietUntil(today: Day, timeZone: string): Date {
  return instantOf(addDays(today, IMPORT_QUIET_DAYS), 12, timeZone)
}

type DatedTerm = Pick<Owned, 'status' | 'renewalDate'>

/** Whether occasions before this change no longer count: the renewal date changed, or the contract reopened. */
export function remindersStartOver(before: DatedTerm, after: DatedTerm): boolean {
  return after.renewalDate !== before.renewalDate || (isOpen(after.status) && !isOpen(before.status))
}

interface Owned {
  status: ContractStatus
  renewalDate: string
  customerId: number | null
}

/**
 * Whether a change of a contract makes its customer get all emails about its renewal date: it is about another date, is
 * another customer's, or no longer ends. `endsOn` is null after the change where that was decided; otherwise an ending
 * contract goes on ending. Other changes can only bring more emails than go out anyway.
 */
export function emailsStartOver(
  before: Owned & { endsOn: Day | null },
  after: Owned & { endsOn?: null | undefined },
): boolean {
  if (after.endsOn === null && before.endsOn !== null) return true
  return after.customerId !== before.customerId || remindersStartOver(before, after)
}

/** Whether a reminder of the contract could be due today, whatever the preferences. */
export function mayBeDue({ status, renewalDate }: Term, today: Day): boolean {
  const { from, through } = renewalDatesNear(today)
  return isOpen(status) && renewalDate >= from && renewalDate <= through
}

/** One day longer than the farthest occasion, because planning may run after midnight. */
function renewalDatesNear(today: Day): DaySpan {
  return {
    from: addDays(today, -Math.max(...FOLLOW_UP_DAYS) - 1),
    through: addDays(today, Math.max(...REMINDER_DAYS) + 1),
  }
}
