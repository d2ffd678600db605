import { isOpen } from './contract-status.ts'
import type { ClosedReason } from './closed-address.ts'
import type { Term } from './contract-term.ts'
import { daysBetween, type Day, type DaySpan } from './day.ts'
import { mailboxOf } from './mail-limits.ts'
import { occasionsOf, type Occasion, type OccasionKind } from './reminder-occasions.ts'
import type { ReminderPreferences } from './reminder-preferences.ts'

/** Who gets a message, and how. */
export interface Line {
  recipient: 'customer' | 'owner'
  /** Which contact of the customer; 0 is the first, and the owner. */
  contactId: number
  channel: 'email' | 'in_app'
}

/** The line of a message, with its kind where that is known. */
export type MessageLine = Line & { kind?: PastMessage['kind'] }

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

/** A further contact of the customer that gets the customer's messages. */
export interface RemindedContact extends Addressee {
  id: number
  /** Earlier occasions do not count: they were planned before the contact was to get messages. */
  from: Day
}

/**
 * Emails about a customer's answer: `answer` tells the customer and the owner that it was given, `reply` tells the customer
 * what the owner decided. They neither replace reminders nor are replaced by them.
 */
export type AnswerKind = 'answer' | 'reply'

/** Whether an email is about a customer's answer. */
export function isAboutAnswer(kind: PastMessage['kind']): kind is AnswerKind {
  return kind === 'answer' || kind === 'reply'
}

/** Whether a message reminds of a contract, rather than tells of a renewal or an answer. */
export function isReminder(kind: PastMessage['kind']): kind is OccasionKind | 'manual' {
  return kind === 'reminder' || kind === 'follow_up' || kind === 'manual'
}

/** A message about the same term in the ledger. */
export interface PastMessage extends Line {
  kind: OccasionKind | 'manual' | 'confirmation' | 'notice' | AnswerKind
  offset: number
  /** The day it was sent, or the day it is due: that of the occasion or of the manual reminder. */
  day: Day
  /** False if it was skipped or failed. */
  counts: boolean
  /** Its state in the ledger; undefined if it is not there yet. */
  state?: string
}

/** Who may get the messages about a contract. */
export interface Readers {
  /** The customer's first contact. */
  customer: Addressee
  /** Those of the others that get messages, in their order. */
  contacts?: readonly RemindedContact[]
  owner: Addressee
}

/** Everything that decides which messages one term of a contract gets. */
export interface Subject extends Readers {
  contract: Term
  preferences: ReminderPreferences
  history: readonly PastMessage[]
  /** The owner turned off emails to the customer about this renewal date. */
  isMuted?: boolean
  /** It has been decided that the contract ends. */
  isEnding?: boolean
  /** The customer has answered about this term, and the owner has not decided yet. */
  isAnswered?: boolean
}

/** Why the recipient cannot be emailed. */
export type Unreachable = 'no_address' | 'opted_out' | 'address_bounced' | ClosedReason
/** Why one contact of the customer gets no message of its own. */
export type NoCopy = 'contact_off' | 'second_copy'
/** Why no message is wanted: because of the contract's status, or of the preferences. */
export type Unwanted = 'closed' | 'off'
/** What keeps a message from being sent, regardless of other messages. */
export type Obstacle = Unreachable | Unwanted | NoCopy | 'muted' | 'ending' | 'answered' | 'too_late'
export type NotDue = Obstacle | 'decided' | 'superseded' | 'manual' | 'confirmed' | 'noticed'

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

const REPLACED_OR_LATE: readonly Decision['verdict'][] = ['superseded', 'manual', 'confirmed', 'noticed', 'too_late']

/** A follow-up is not sent if it is more days late than this. */
export const LATEST_FOLLOW_UP_DAYS = 30

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
    linesOf(subject, occasion.day).map((line) => {
      const verdict = verdictOf(subject, { ...occasion, ...line }, { today: days.through, latest })
      return { ...occasion, ...line, verdict }
    }),
  )
}

/** Who gets the messages of a day: always the customer, with its contacts, and the owner as the preferences say. */
function linesOf({ preferences, contacts = [] }: Subject, day: Day): Line[] {
  const { email, inApp } = preferences.notificationMethods
  return [
    ...customerLines(contacts.filter(({ from }) => from <= day)),
    ...(email ? [{ recipient: 'owner', contactId: 0, channel: 'email' } as const] : []),
    ...(inApp ? [{ recipient: 'owner', contactId: 0, channel: 'in_app' } as const] : []),
  ]
}

/** The customer's first contact, and these others. */
export function customerLines(contacts: readonly RemindedContact[] = []): Line[] {
  return [0, ...contacts.map(({ id }) => id)].map(customerLine)
}

/** Email to one contact of the customer; 0 is the first. */
export function customerLine(contactId: number): Line {
  return { recipient: 'customer', contactId, channel: 'email' }
}

type Message = Occasion & Line

/** What keeps a due message from being sent now; undefined if nothing does. */
export function obstacle(subject: Subject, message: Message, today: Day): Obstacle | undefined {
  const { contract, preferences } = subject
  if (!isOpen(contract.status)) return 'closed'
  if (!preferences.enableNotifications || isOffForOwner(message, preferences)) return 'off'
  if (isTooLate(contract, message, today)) return 'too_late'
  if (message.recipient === 'customer' && subject.isEnding) return 'ending'
  if (message.recipient === 'customer' && subject.isAnswered) return 'answered'
  if (message.recipient === 'customer' && subject.isMuted) return 'muted'
  return message.channel === 'email' ? unreachableAt(subject, message) : undefined
}

/** Who reads a message; nobody if the contact gets no messages any more. */
export function readerAt(readers: Readers, { recipient, contactId }: Line): Addressee | undefined {
  return contactId === 0 ? readers[recipient] : readers.contacts?.find(({ id }) => id === contactId)
}

/**
 * Why the reader of a message cannot be emailed, or gets no copy of it. An email about an answer is no second copy: there is
 * only one, for whoever gave the answer.
 */
export function unreachableAt(readers: Readers, line: MessageLine): Unreachable | NoCopy | undefined {
  const reader = readerAt(readers, line)
  if (!reader) return 'contact_off'
  const isCopy = !(line.kind && isAboutAnswer(line.kind)) && isSecondCopy(readers, line)
  return isCopy ? 'second_copy' : unreachable(reader)
}

/** Whether an earlier contact of the customer has the same address. */
function isSecondCopy({ customer, contacts = [] }: Readers, { contactId }: Line): boolean {
  const index = contacts.findIndex(({ id }) => id === contactId)
  const contact = contacts[index]
  return contact !== undefined && [customer, ...contacts.slice(0, index)].some((one) => hasSameMailbox(one, contact))
}

function hasSameMailbox(one: Addressee, other: Addressee): boolean {
  return one.email !== null && other.email !== null && mailboxOf(one.email) === mailboxOf(other.email)
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
  const past = subject.history.filter((one) => isSameLine(one, message) && !isAboutAnswer(one.kind))
  if (past.some(({ kind, offset }) => kind === message.kind && offset === message.offset)) return 'decided'
  const reason = obstacle(subject, message, today)
  if (reason === 'closed' || reason === 'off') return reason
  const later = past.filter((one) => one.counts && one.day >= message.day && !isOverdueByHand(one, today))
  if (later.some(({ kind }) => kind === 'manual')) return 'manual'
  // A notice says all that a reminder of its day would.
  if (later.some(({ kind, day }) => kind === 'notice' && day <= today)) return 'noticed'
  if (later.some(({ kind }) => kind !== 'confirmation' && kind !== 'notice')) return 'superseded'
  // A renewal is confirmed once, and a confirmation put off until another day replaces nothing until then.
  if (later.some(({ kind, day }) => kind === 'confirmation' && day <= today)) return 'confirmed'
  if (latest && latest.day > message.day) return 'superseded'
  return reason ?? 'due'
}

/** A reminder by hand that may be too late to be sent. What falls due replaces it. */
function isOverdueByHand({ kind, state, day }: PastMessage, today: Day): boolean {
  return kind === 'manual' && state === 'planned' && day < today
}

/** Whether two messages go to the same reader in the same way. */
export function isSameLine(one: Line, other: Line): boolean {
  return one.recipient === other.recipient && one.contactId === other.contactId && one.channel === other.channel
}

function isOffForOwner({ recipient, channel }: Line, { notificationMethods: { email, inApp } }: ReminderPreferences) {
  return recipient === 'owner' && !(channel === 'email' ? email : inApp)
}

// A reminder after the renewal date would announce a date in the past.
function isTooLate({ renewalDate }: Term, { kind, day }: Occasion, today: Day): boolean {
  return kind === 'reminder' ? today > renewalDate : daysBetween(day, today) > LATEST_FOLLOW_UP_DAYS
}
