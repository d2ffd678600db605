import { isOpen } from './contract-status.ts'
import type { ClosedReason } from './closed-address.ts'
import type { Term } from './contract-term.ts'
import { daysBetween, type Day, type DaySpan } from './day.ts'
import { occasionsOf, type Occasion, type OccasionKind } from './reminder-occasions.ts'
import type { ReminderPreferences } from './reminder-preferences.ts'

/** Who gets a message, and how. */
export interface Line {
  recipient: 'customer' | 'owner'
  channel: 'email' | 'in_app'
}

/** Somebody who may get email. */
export interface Addressee {
  email: string | null
  /** False if messages are turned off for them. */
  sendNotifications: boolean
  /** True if email to this address bounced. */
  hasBounced: boolean
  /** Why the reader of this address wants no more email; null if they do. */
  closed: ClosedReason | null
}

/** A message about the same term in the ledger. */
export interface PastMessage extends Line {
  kind: OccasionKind | 'manual'
  offset: number
  /** The day it was sent, or the day it is due: that of the occasion or of the manual reminder. */
  day: Day
  /** False if it was skipped or failed. */
  counts: boolean
}

/** Everything that decides which messages one term of a contract gets. */
export interface Subject {
  contract: Term
  customer: Addressee
  owner: Addressee
  preferences: ReminderPreferences
  history: readonly PastMessage[]
  /** The owner turned off emails to the customer about this renewal date. */
  isMuted?: boolean
  /** It has been decided that the contract ends. */
  isEnding?: boolean
}

/** Why the recipient cannot be emailed. */
export type Unreachable = 'no_address' | 'opted_out' | 'address_bounced' | ClosedReason
/** Why no message is wanted: because of the contract's status, or of the preferences. */
export type Unwanted = 'closed' | 'off'
/** What keeps a message from being sent, regardless of other messages. */
export type Obstacle = Unreachable | Unwanted | 'muted' | 'ending' | 'too_late'
export type NotDue = Obstacle | 'decided' | 'superseded' | 'manual'

export interface Decision extends Occasion, Line {
  verdict: 'due' | NotDue
}

/** A decision that is recorded in the ledger. */
export type RecordedDecision = Decision & { verdict: Exclude<Decision['verdict'], Unwanted | 'decided'> }

/** Whether nobody wants the message: because of the contract's status, or of the preferences. */
export function isUnwanted({ verdict }: Decision): boolean {
  return verdict === 'closed' || verdict === 'off'
}

/** Whether the decision is recorded in the ledger: the message is wanted and not in the ledger yet. */
export function isRecorded(decision: Decision): decision is RecordedDecision {
  return !isUnwanted(decision) && decision.verdict !== 'decided'
}

/** Whether the message is listed before its day: it will be sent, or would be if its reader could get email. */
export function isUpcoming(decision: Decision): boolean {
  return isRecorded(decision) && !REPLACED_OR_LATE.includes(decision.verdict)
}

const REPLACED_OR_LATE: readonly Decision['verdict'][] = ['superseded', 'manual', 'too_late']

/** A follow-up is not sent if it is more days late than this. */
export const LATEST_FOLLOW_UP_DAYS = 30

const CUSTOMER_EMAIL: Line = { recipient: 'customer', channel: 'email' }

/**
 * Which messages fall due on these days, the last of which is today, and why the others do not. If days were missed, at
 * most one message a line is due: the latest. Days before `from` are settled, or precede this renewal date.
 */
export function plan(subject: Subject, days: DaySpan): Decision[] {
  const { contract, preferences } = subject
  const occasions = occasionsOf(contract.renewalDate, preferences).filter(
    ({ day }) => day >= days.from && day <= days.through,
  )
  const latest = occasions.at(-1)
  return occasions.flatMap((occasion) =>
    linesOf(preferences).map((line) => {
      const verdict = verdictOf(subject, { ...occasion, ...line }, { today: days.through, latest })
      return { ...occasion, ...line, verdict }
    }),
  )
}

/** Who gets messages: always the customer, and the owner as the preferences say. */
export function linesOf({ notificationMethods: { email, inApp } }: ReminderPreferences): Line[] {
  return [
    CUSTOMER_EMAIL,
    ...(email ? [{ recipient: 'owner', channel: 'email' } as const] : []),
    ...(inApp ? [{ recipient: 'owner', channel: 'in_app' } as const] : []),
  ]
}

type Message = Occasion & Line

/** What keeps a due message from being sent now; undefined if nothing does. */
export function obstacle(subject: Subject, message: Message, today: Day): Obstacle | undefined {
  const { contract, preferences } = subject
  if (!isOpen(contract.status)) return 'closed'
  if (!preferences.enableNotifications || !linesOf(preferences).some((line) => isSameLine(line, message))) return 'off'
  if (isTooLate(contract, message, today)) return 'too_late'
  if (message.recipient === 'customer' && subject.isEnding) return 'ending'
  if (message.recipient === 'customer' && subject.isMuted) return 'muted'
  return message.channel === 'email' ? unreachable(subject[message.recipient]) : undefined
}

/** The reader's own choice comes first: only the reader can change it. */
export function unreachable({ email, sendNotifications, hasBounced, closed }: Addressee): Unreachable | undefined {
  if (closed) return closed
  if (!sendNotifications) return 'opted_out'
  if (!email) return 'no_address'
  return hasBounced ? 'address_bounced' : undefined
}

interface Moment {
  today: Day
  latest: Occasion | undefined
}

function verdictOf(subject: Subject, message: Message, { today, latest }: Moment): Decision['verdict'] {
  const past = subject.history.filter((one) => isSameLine(one, message))
  if (past.some(({ kind, offset }) => kind === message.kind && offset === message.offset)) return 'decided'
  const reason = obstacle(subject, message, today)
  if (reason === 'closed' || reason === 'off') return reason
  const later = past.filter(({ counts, day }) => counts && day >= message.day)
  if (later.some(({ kind }) => kind === 'manual')) return 'manual'
  if (later.length > 0) return 'superseded'
  if (latest && latest.day > message.day) return 'superseded'
  return reason ?? 'due'
}

function isSameLine(one: Line, other: Line): boolean {
  return one.recipient === other.recipient && one.channel === other.channel
}

// A reminder after the renewal date would announce a date in the past.
function isTooLate({ renewalDate }: Term, { kind, day }: Occasion, today: Day): boolean {
  return kind === 'reminder' ? today > renewalDate : daysBetween(day, today) > LATEST_FOLLOW_UP_DAYS
}
