import { daysBetween, type Day } from './day.ts'
import { readerAt, unreachable, type Line, type Readers, type Unreachable } from './reminder-plan.ts'

/** An email about a customer's answer that is more days late than this is not sent. */
export const LATEST_ANSWER_DAYS = 7

/**
 * What keeps an email about an answer, due on its day, from being sent today; undefined if nothing does. There is one only for
 * whoever gave the answer, so that it is no second copy where another contact has the same address.
 */
export function answerMailObstacle(
  readers: Readers,
  message: Line & { day: Day },
  today: Day,
): 'too_late' | 'contact_off' | Unreachable | undefined {
  if (daysBetween(message.day, today) > LATEST_ANSWER_DAYS) return 'too_late'
  const reader = readerAt(readers, message)
  return reader ? unreachable(reader) : 'contact_off'
}
