import { isOpen } from './contract-status.ts'
import { answerMailObstacle } from './answer-mail.ts'
import type { Day, DaySpan } from './day.ts'
import type { MailLimit } from './mail-limits.ts'
import { isManualTooLate } from './manual-reminder.ts'
import { confirmationObstacle } from './renewal-confirmation.ts'
import { getsNotice, hasNotice, noticeObstacle } from './notice-plan.ts'
import { instantOf } from './reminder-hour.ts'
import { occasionsOf } from './reminder-occasions.ts'
import {
  obstacle,
  isAboutAnswer,
  isReminder,
  readerAt,
  unreachableAt,
  type Addressee,
  type Line,
  type Obstacle,
  type PastMessage,
  type Subject,
} from './reminder-plan.ts'

/** The states of a message that is not sent yet, or whose sender may have crashed. */
export const WAITING_STATES = ['planned', 'sending'] as const
/** The states of a message that was handed to a mail server. */
export const POSTED_STATES = ['sent', 'delivered', 'bounced', 'failed'] as const
/** The final states of a message that was not sent. */
export const UNSENT_STATES = ['skipped', 'failed'] as const

/** Another message of the ledger. */
export interface OtherMessage {
  kind: PastMessage['kind']
  day: Day
  state: string
  sentAt: Date | null
  /** The account's calendar day then. */
  sentOn?: Day | null
  plannedAt: Date
  nextAttemptAt: Date | null
}

/** A message of the ledger that is due. */
export interface DueMessage extends Line {
  kind: PastMessage['kind']
  offset: number
  day: Day
  /** The renewal date that it is about. */
  renewalDate: Day
  termNumber: number
  plannedAt: Date
  /** A process began to send it and never recorded the result: it may have been sent. */
  isInterrupted: boolean
  /** How often it was sent again because nobody knew whether it had been sent. */
  repeats: number
  /** All messages of the ledger to the same reader about the same renewal date. */
  others: readonly OtherMessage[]
  /** The limit that it has been waiting for. */
  waitsFor: MailLimit | null
  /** The address of the last try. */
  address: string | null
}

/** A contract at the time a message about it is due. */
export interface DueSubject extends Subject {
  /** Earlier occasions do not count. */
  since: Day
  termNumber: number
  /** The days of its notice window, if a notice by email is due. */
  notice?: DaySpan | null
}

export interface DeliveryFacts {
  /** Undefined if the contract was deleted. */
  subject: DueSubject | undefined
  now: Date
  /** The account's calendar day. */
  today: Day
  /** Whether the subscription covers reminders. */
  hasAccess: boolean
  hasCompanyName: boolean
  /** Whether the owner's address is verified; customers' replies go there unless another one is confirmed. */
  isOwnerVerified: boolean
  /** Mail to the account's customers is paused. */
  isMailStopped: boolean
}

export type SkipReason =
  | Obstacle
  | 'contract_deleted'
  | 'date_changed'
  | 'renewed'
  | 'undone'
  | 'no_access'
  | 'superseded'
  | 'manual'
  | 'noticed'
  | 'not_due'
  | 'limited'
  | 'mail_stopped'
  | 'no_company'
  | 'unverified'
  | 'answer_changed'
  | 'reader_changed'

/** What happens to a message that is due. */
export type Delivery =
  /** By email, or to the owner in the app. */
  | { outcome: 'send' | 'show' }
  | { outcome: 'skip'; reason: SkipReason }
  /** It may have been sent and is not sent again, so it cannot be called skipped. */
  | { outcome: 'give_up' }
  | { outcome: 'wait'; for: 'day' | 'company' | 'owner' | 'stop' | MailLimit }

/** Decides what happens to a due message, except for limits, which are counted when emails are claimed. */
export function deliveryOf(message: DueMessage, facts: DeliveryFacts): Delivery {
  if (isBeforeItsDay(message, facts)) return { outcome: 'wait', for: 'day' }
  const reason = reasonNotToSend(message, facts)
  if (reason === 'unknown' || (reason && message.isInterrupted)) return { outcome: 'give_up' }
  if (reason) return { outcome: 'skip', reason: waitedTooLong(message, facts, reason) }
  const cause = isToCustomer(message) ? holdsUp(facts) : undefined
  if (cause) return { outcome: 'wait', for: cause }
  return { outcome: message.channel === 'in_app' ? 'show' : 'send' }
}

/** It was planned in a time zone in which its day begins earlier. What is by hand, or about an answer, is wanted at once. */
function isBeforeItsDay({ kind, day, isInterrupted }: DueMessage, { today }: DeliveryFacts): boolean {
  return day > today && kind !== 'manual' && !isAboutAnswer(kind) && !isInterrupted
}

/** What emails to customers wait for; undefined if for nothing but perhaps a limit. */
export function holdsUp(
  facts: Pick<DeliveryFacts, 'hasCompanyName' | 'isOwnerVerified' | 'isMailStopped'>,
): 'company' | 'owner' | 'stop' | undefined {
  // Without the company name, customers cannot tell who is writing.
  if (!facts.hasCompanyName) return 'company'
  // Replies might reach nobody, and nobody would be accountable for the messages.
  if (!facts.isOwnerVerified) return 'owner'
  return facts.isMailStopped ? 'stop' : undefined
}

/** Why a planned message is skipped if a newer one to the same reader replaces it. */
export function reasonWhenReplaced(message: Pick<DueMessage, 'waitsFor'>): 'superseded' | 'limited' {
  return isLimited(message, 'superseded') ? 'limited' : 'superseded'
}

/** Whether a message that is snoozed to a day replaces a planned one, because both would arrive on that day. */
export function isReplacedOn(day: Day, planned: Pick<DueMessage, 'day'>): boolean {
  return planned.day === day
}

/** Whether an email repeats one that may have been sent. To another reader it is not a repeat. */
export function isRepeat(message: DueMessage, reader: Pick<Addressee, 'email'>): boolean {
  return (message.isInterrupted || message.repeats > 0) && !hasOtherReader(message, reader)
}

/**
 * Whether a planned message can have been waiting for the company name or the end of a mail stop: it is an email to a
 * customer, it is not waiting for a limit, and the account's hour on its day has come.
 */
export function isHeldUp(
  message: Pick<DueMessage, 'recipient' | 'channel' | 'day' | 'waitsFor'>,
  now: Date,
  { hour, timeZone }: { hour: number; timeZone: string },
): boolean {
  return isToCustomer(message) && message.waitsFor === null && instantOf(message.day, hour, timeZone) <= now
}

/** Why a message must no longer be sent, considering what has changed since it was planned. */
function reasonNotToSend(message: DueMessage, facts: DeliveryFacts): SkipReason | 'unknown' | undefined {
  const { subject, today, hasAccess } = facts
  if (message.isInterrupted && message.repeats > 0) return 'unknown'
  if (!subject) return 'contract_deleted'
  if (message.isInterrupted && hasOtherReader(message, readerAt(subject, message))) return 'unknown'
  // Whatever has become of the contract since.
  if (isAboutAnswer(message.kind)) return hasAccess ? answerMailObstacle(subject, message, today) : 'no_access'
  if (subject.termNumber < message.termNumber) return 'undone'
  if (subject.termNumber > message.termNumber) return 'renewed'
  const { kind, offset, day, recipient, contactId, channel } = message
  // It is about the term, whichever date that now has.
  if (kind === 'confirmation') return hasAccess ? confirmationObstacle(subject, message, today) : 'no_access'
  if (subject.contract.renewalDate !== message.renewalDate) return 'date_changed'
  if (kind === 'manual') return reasonNotToSendManual(message, subject, facts)
  if (!hasAccess) return 'no_access'
  const window = subject.notice ?? null
  if (kind === 'notice') {
    const isAnother = window !== null && !message.isInterrupted && hasNotice(message.others, window)
    return noticeObstacle(subject, message, { window, today }) ?? (isAnother ? 'noticed' : undefined)
  }
  const reason = obstacle(subject, { kind, offset, day, recipient, contactId, channel }, today)
  if (reason) return reason
  if (getsNotice(message.others, { window, today })) return 'noticed'
  // A later occasion that was missed is about to be planned; the reader would get two messages on one day.
  const isMissed = occasionsOf(subject.contract.renewalDate, subject.preferences).some(
    (later) => later.day > day && later.day >= subject.since && later.day <= today,
  )
  return isMissed ? 'superseded' : replacedBy(message, facts)
}

/** What replaces it: a newer message to the same reader that is due or may have been sent, or one by hand of its day. */
function replacedBy(message: DueMessage, facts: DeliveryFacts): 'superseded' | 'manual' | undefined {
  const { now, today } = facts
  const isByHand = (kind: OtherMessage['kind']) => kind === 'manual' && message.kind !== 'manual'
  const newer = message.others.filter((other) => {
    const { kind, day, state, sentAt, sentOn, nextAttemptAt } = other
    const days = isByHand(kind) ? [day, sentOn ?? day] : []
    const isNewer = day > message.day || days.some((one) => one >= message.day)
    if (!isReminder(kind) || !isNewer) return false
    if (sentAt !== null || state === 'sending') return true
    const isDue = day <= today || (nextAttemptAt !== null && nextAttemptAt <= now)
    // One by hand that is held up may be skipped in the end, and one that is too late will be.
    return state === 'planned' && isDue && !(isByHand(kind) && (holdsUp(facts) || isManualTooLate(other, facts)))
  })
  return newer[0] && (newer.every(({ kind }) => isByHand(kind)) ? 'manual' : 'superseded')
}

/** A reminder that has fallen due since replaces one that was sent manually. */
function reasonNotToSendManual(message: DueMessage, subject: Subject, facts: DeliveryFacts) {
  if (!isOpen(subject.contract.status)) return 'closed'
  const reason = unreachableAt(subject, message)
  if (reason) return reason
  if (subject.isAnswered) return 'answered'
  if (replacedBy(message, facts)) return 'superseded'
  return isManualTooLate(message, facts) ? 'too_late' : undefined
}

const ENDS_A_WAIT: readonly SkipReason[] = ['superseded', 'too_late', 'date_changed', 'closed']

/** If a message is too late because it had to wait, the reason is what it waited for. */
function waitedTooLong(message: DueMessage, facts: DeliveryFacts, reason: SkipReason): SkipReason {
  const isLate = reason === 'too_late' && isToCustomer(message)
  if (isLate && facts.isMailStopped) return 'mail_stopped'
  if (isLimited(message, reason)) return 'limited'
  const cause = isLate ? holdsUp(facts) : undefined
  return cause ? REASONS_OF_WAITS[cause] : reason
}

const REASONS_OF_WAITS = { company: 'no_company', owner: 'unverified', stop: 'mail_stopped' } as const

function isLimited({ waitsFor }: Pick<DueMessage, 'waitsFor'>, reason: SkipReason): boolean {
  return waitsFor !== null && ENDS_A_WAIT.includes(reason)
}

function isToCustomer({ recipient, channel }: Pick<Line, 'recipient' | 'channel'>): boolean {
  return recipient === 'customer' && channel === 'email'
}

/** Whether the reader's address has changed since the last try. */
function hasOtherReader({ recipient, address }: DueMessage, reader: Pick<Addressee, 'email'> | undefined): boolean {
  return recipient === 'customer' && address !== null && address.toLowerCase() !== reader?.email?.toLowerCase()
}
