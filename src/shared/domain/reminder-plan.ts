import { isOpen } from './contract-status.ts'
import type { ClosedReason } from './closed-address.ts'
import type { Term } from './contract-term.ts'
import { daysBetween, type Day, type DaySpan } from './day.ts'
import { occasionsOf, type Occasion, type OccasionKind } from './reminder-occasions.ts'
import type { ReminderPreferences } from './reminder-preferences.ts'

/** Who is told, and how. */
export interface Line {
  recipient: 'customer' | 'owner'
  channel: 'email' | 'in_app'
}

/** Somebody who may be written to. */
export interface Addressee {
  email: string | null
  /** False where they want no messages. */
  sendNotifications: boolean
  /** True if email to this address bounced. */
  hasBounced: boolean
  /** Why the reader of this address wants no more mail; null where they said nothing. */
  closed: ClosedReason | null
}

/** A message of the same term that the ledger has. */
export interface PastMessage extends Line {
  kind: OccasionKind | 'manual'
  offset: number
  /** The occasion's day, or the day of a manual reminder; where it was sent later, that day. */
  day: Day
  /** False if it was skipped or failed. */
  counts: boolean
}

/** Everything that decides about the messages of one contract's term. */
export interface Subject {
  contract: Term
  customer: Addressee
  owner: Addressee
  preferences: ReminderPreferences
  history: readonly PastMessage[]
  /** The owner turned off emails to the customer about this renewal date. */
  isMuted?: boolean
}

/** Why the recipient cannot be emailed. */
export type Unreachable = 'no_address' | 'opted_out' | 'address_bounced' | ClosedReason
/** Why nothing is wanted: by the status, or by the preferences. */
export type Unwanted = 'closed' | 'off'
/** What keeps a message from being sent, whatever else was sent. */
export type Obstacle = Unreachable | Unwanted | 'muted' | 'too_late'
export type NotDue = Obstacle | 'decided' | 'superseded' | 'manual'

export interface Decision extends Occasion, Line {
  verdict: 'due' | NotDue
}

/** A decision that the ledger keeps. */
export type RecordedDecision = Decision & { verdict: Exclude<Decision['verdict'], Unwanted | 'decided'> }

/** Whether nobody wants the message: because of the contract's status, or of the preferences. */
export function isUnwanted({ verdict }: Decision): boolean {
  return verdict === 'closed' || verdict === 'off'
}

/** Whether the ledger keeps the decision: the message is wanted, and the ledger does not have it yet. */
export function isRecorded(decision: Decision): decision is RecordedDecision {
  return !isUnwanted(decision) && decision.verdict !== 'decided'
}

/** Whether people see the message before its day: it will be sent, or would be if its reader could be written to. */
export function isUpcoming(decision: Decision): boolean {
  return isRecorded(decision) && !REPLACED_OR_LATE.includes(decision.verdict)
}

const REPLACED_OR_LATE: readonly Decision['verdict'][] = ['superseded', 'manual', 'too_late']

/** A follow-up that was missed by more days than this is not sent. */
export const LATEST_FOLLOW_UP_DAYS = 30

const CUSTOMER_EMAIL: Line = { recipient: 'customer', channel: 'email' }

/**
 * What falls due on these days, of which the last is today, and why the rest does not. Whatever was missed in between, at most one message a line
 * is due: the latest. Days before `from` are settled, or were before the contract had this renewal date.
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

/** Who is told: the customer always, the owner by the preferences. */
export function linesOf({ notificationMethods: { email, inApp } }: ReminderPreferences): Line[] {
  return [
    CUSTOMER_EMAIL,
    ...(email ? [{ recipient: 'owner', channel: 'email' } as const] : []),
    ...(inApp ? [{ recipient: 'owner', channel: 'in_app' } as const] : []),
  ]
}

type Message = Occasion & Line

/** What keeps a message that fell due from being sent now; undefined where nothing does. */
export function obstacle(subject: Subject, message: Message, today: Day): Obstacle | undefined {
  const { contract, preferences } = subject
  if (!isOpen(contract.status)) return 'closed'
  if (!preferences.enableNotifications || !linesOf(preferences).some((line) => isSameLine(line, message))) return 'off'
  if (isTooLate(contract, message, today)) return 'too_late'
  if (subject.isMuted && message.recipient === 'customer') return 'muted'
  return message.channel === 'email' ? unreachable(subject[message.recipient]) : undefined
}

/** What the reader said comes before what the account wants: only the reader can change it. */
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

// A reminder after the renewal date would announce something past.
function isTooLate({ renewalDate }: Term, { kind, day }: Occasion, today: Day): boolean {
  return kind === 'reminder' ? today > renewalDate : daysBetween(day, today) > LATEST_FOLLOW_UP_DAYS
}
