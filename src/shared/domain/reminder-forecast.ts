import { addDays, type Day, type DaySpan } from './day.ts'
import { occasionsOf } from './reminder-occasions.ts'
import { plan, type Decision, type Subject } from './reminder-plan.ts'

/** How many days the outbox covers, past and future. */
export const OUTBOX_DAYS = 90

/** The future days that the outbox covers, including today. */
export function comingSpan(today: Day): DaySpan {
  return { from: today, through: addDays(today, OUTBOX_DAYS) }
}

/** What would be decided on each of these days if nothing changed before. */
export function forecast(subject: Subject, { from, through }: DaySpan): Decision[] {
  return occasionsOf(subject.contract.renewalDate, subject.preferences)
    .filter(({ day }) => day >= from && day <= through)
    .flatMap(({ day }) => plan(subject, { from: day, through: day }))
}

/** The messages of one forecast that the other lacks. */
export function forecastChange(before: readonly Decision[], after: readonly Decision[]) {
  return { added: missingFrom(before, after), removed: missingFrom(after, before) }
}

function missingFrom(known: readonly Decision[], others: readonly Decision[]): Decision[] {
  const keys = new Set(known.filter(isDue).map(keyOf))
  return others.filter((one) => isDue(one) && !keys.has(keyOf(one)))
}

function isDue({ verdict }: Decision): boolean {
  return verdict === 'due'
}

function keyOf({ kind, offset, recipient, contactId, channel }: Decision): string {
  return [kind, offset, recipient, contactId, channel].join(' ')
}
