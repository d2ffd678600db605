import { addDays, addDaysIfAny, type Day, type DaySpan } from './day.ts'
import { FOLLOW_UP_DAYS, REMINDER_DAYS, type ReminderPreferences } from './reminder-preferences.ts'

export type OccasionKind = 'reminder' | 'follow_up'

/** A day on which a message about a term is due. */
export interface Occasion {
  kind: OccasionKind
  /** Days before the renewal date, or after it for a follow-up. */
  offset: number
  day: Day
}

/** The days on which the preferences ask for a message about this renewal date, earliest first. */
export function occasionsOf(renewalDate: Day, { reminderDays, followUpDays }: ReminderPreferences): Occasion[] {
  const reminders = reminderDays.flatMap((offset) => occasionIfAny('reminder', offset, renewalDate))
  const followUps = followUpDays.flatMap((offset) => occasionIfAny('follow_up', offset, renewalDate))
  return [...reminders, ...followUps].toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

/** All renewal dates that could have an occasion on one of these days, whatever the preferences. */
export function renewalDatesWithOccasions({ from, through }: DaySpan): Day[] {
  const dates = new Set<Day>()
  for (let day = from; day <= through; day = addDays(day, 1)) {
    for (const offset of REMINDER_DAYS) dates.add(addDays(day, offset))
    for (const offset of FOLLOW_UP_DAYS) dates.add(addDays(day, -offset))
  }
  return [...dates].toSorted()
}

/** Near the ends of the calendar an occasion may have no day. */
function occasionIfAny(kind: OccasionKind, offset: number, renewalDate: Day): Occasion[] {
  const day = addDaysIfAny(renewalDate, kind === 'reminder' ? -offset : offset)
  return day ? [{ kind, offset, day }] : []
}
