import { isOpen, type ContractStatus } from './contract-status.ts'
import type { Day } from './day.ts'
import { unreachableAt, type MessageLine, type NoCopy, type Readers, type Unreachable } from './reminder-plan.ts'

/** How long a reminder sent by hand can be undone, in milliseconds. */
export const UNDO_MS = 10_000

/** How long a reminder by hand is retried if it cannot be sent at once, in milliseconds. */
const TRIED_FOR_MS = 86_400_000

/** Whether it is too late for a reminder by hand, planned at `plannedAt` and due on `day`. */
export function isManualTooLate(
  manual: { plannedAt: Date; day: Day },
  { now, today }: { now: Date; today: Day },
): boolean {
  return today > manual.day && now.getTime() - manual.plannedAt.getTime() > TRIED_FOR_MS
}

/** What decides whether a reminder can be sent by hand. */
export interface ManualSubject extends Readers {
  status: ContractStatus
  /** Which of the customer's contacts it is meant for. */
  lines: readonly MessageLine[]
  /** Whether the customer has answered about this term, and the owner has not decided yet. */
  isAnswered: boolean
  /** When they last got an email about this contract, by hand or automatically. */
  lastSentOn: Day | null
  /** Whether a message to them is waiting to be sent. */
  isOnItsWay: boolean
  /** Whether the company has a name, without which customers cannot tell who writes to them. */
  hasCompanyName: boolean
  /** Whether the owner's own address is verified. */
  isOwnerVerified: boolean
  /** Whether mail to the account's customers is paused. */
  isMailStopped: boolean
}

export type ManualObstacle =
  | 'no_company'
  | 'unverified'
  | 'closed'
  | Unreachable
  | NoCopy
  | 'answered'
  | 'sent_today'
  | 'on_its_way'
  | 'mail_stopped'

/**
 * Why no reminder can be sent to the customer by hand now; undefined if one can. It goes to those contacts that can be reached.
 * Preferences do not matter.
 */
export function manualObstacle(subject: ManualSubject, today: Day): ManualObstacle | undefined {
  if (!subject.hasCompanyName) return 'no_company'
  if (!subject.isOwnerVerified) return 'unverified'
  if (!isOpen(subject.status)) return 'closed'
  const obstacles = subject.lines.map((line) => unreachableAt(subject, line))
  if (!obstacles.includes(undefined)) return obstacles[0]
  if (subject.isAnswered) return 'answered'
  if (subject.lastSentOn === today) return 'sent_today'
  if (subject.isOnItsWay) return 'on_its_way'
  return subject.isMailStopped ? 'mail_stopped' : undefined
}
