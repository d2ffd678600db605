import { daysBetween, type Day } from './day.ts'
import { unreachableAt, type MessageLine, type NoCopy, type Readers, type Unreachable } from './reminder-plan.ts'

/** An email about a customer's answer that is more days late than this is not sent. */
export const LATEST_ANSWER_DAYS = 7

/** What keeps an email about an answer, due on its day, from being sent today; undefined if nothing does. */
export function answerMailObstacle(
  readers: Readers,
  message: Required<MessageLine> & { day: Day },
  today: Day,
): 'too_late' | Unreachable | NoCopy | undefined {
  if (daysBetween(message.day, today) > LATEST_ANSWER_DAYS) return 'too_late'
  return unreachableAt(readers, message)
}
