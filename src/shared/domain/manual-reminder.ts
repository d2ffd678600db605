import { isOpen, type ContractStatus } from './contract-status.ts'
import type { Day } from './day.ts'
import { unreachable, type Addressee, type Unreachable } from './reminder-plan.ts'

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
export interface ManualSubject {
  status: ContractStatus
  customer: Addressee
  /** When the customer last got an email about this contract, by hand or automatically. */
  lastSentOn: Day | null
  /** Whether a message to the customer is waiting to be sent. */
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
  | 'sent_today'
  | 'on_its_way'
  | 'mail_stopped'

/** Why no reminder can be sent to the customer by hand now; undefined if one can. Preferences do not matter. */
export function manualObstacle(subject: ManualSubject, today: Day): ManualObstacle | undefined {
  if (!subject.hasCompanyName) return 'no_company'
  if (!subject.isOwnerVerified) return 'unverified'
  if (!isOpen(subject.status)) return 'closed'
  const obstacle = unreachable(subject.customer)
  if (obstacle) return obstacle
  if (subject.lastSentOn === today) return 'sent_today'
  if (subject.isOnItsWay) return 'on_its_way'
  return subject.isMailStopped ? 'mail_stopped' : undefined
}
