import { isOpen } from './contract-status.ts'
import { daysBetween, type Day } from './day.ts'
import { unreachableAt, type Line, type NoCopy, type Subject, type Unreachable } from './reminder-plan.ts'

/** A confirmation that is more days late than this is not sent: the renewal is no news any more. */
export const LATEST_CONFIRMATION_DAYS = 7

/** Why a reader is not told that a contract was renewed. */
export type ConfirmationObstacle = 'closed' | 'ending' | 'muted' | 'too_late' | Unreachable | NoCopy

/** A contract that was renewed, and who is told. */
export type ConfirmedSubject = Omit<Subject, 'preferences' | 'history'>

/**
 * What keeps a confirmation, due on its day, from being sent today; undefined if nothing does. When reminders go out does
 * not matter.
 */
export function confirmationObstacle(
  subject: ConfirmedSubject,
  message: Line & { day: Day },
  today: Day,
): ConfirmationObstacle | undefined {
  if (!isOpen(subject.contract.status)) return 'closed'
  if (subject.isEnding) return 'ending'
  if (subject.isMuted) return 'muted'
  if (daysBetween(message.day, today) > LATEST_CONFIRMATION_DAYS) return 'too_late'
  return unreachableAt(subject, message)
}
