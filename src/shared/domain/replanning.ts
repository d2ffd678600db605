import { isOpen } from './contract-status.ts'
import type { Term } from './contract-term.ts'
import { addDays, type Day, type DaySpan } from './day.ts'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from './reminder-preferences.ts'

/** Minutes from a change of a contract to its planning: time to correct a mistake. */
export const REPLAN_AFTER_MINUTES = 5

/** Occasions count from this many days after an import, so that nobody is emailed on the day of the import. */
export const IMPORT_QUIET_DAYS = 1

/** Whether occasions before this change no longer count: the renewal date changed, or the contract reopened. */
export function remindersStartOver(before: Term, after: Term): boolean {
  return after.renewalDate !== before.renewalDate || (isOpen(after.status) && !isOpen(before.status))
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
