import { daysBetween, type Day } from './day.ts'
import type { MessageBefore, NoticedSubject } from './notice-plan.ts'
import { deliveryOf, type NoticePresetKey } from './notice-presets.ts'
import type { NoticeMeans } from './notice-window.ts'
import { holdsUp } from './reminder-delivery.ts'
import { customerLines, unreachableAt } from './reminder-plan.ts'

/** How many days before a window closes without notice its owner is warned, once each. */
export const WARNING_DAYS = [7, 2] as const
export type WarningDays = (typeof WARNING_DAYS)[number]
const [, LAST_WARNING_DAYS] = WARNING_DAYS

/** Why an email with a notice has not been sent, and what its owner can do about it; null if that is nothing. */
const WHY_NO_EMAIL = {
  letter_only: { why: 'By the rule, email does not count', remedy: null },
  no_access: { why: 'Your subscription does not cover sending emails', remedy: 'Renew your subscription' },
  muted: { why: 'You turned off emails about this renewal date', remedy: 'Turn emails about it back on' },
  no_address: { why: 'The customer has no email address', remedy: 'Add an email address' },
  opted_out: { why: 'Notifications are turned off for this customer', remedy: 'Turn them on for this customer' },
  address_bounced: {
    why: "Email to the customer's address bounced",
    remedy: 'Correct the email address, or mark it as working',
  },
  unsubscribed: { why: 'The customer unsubscribed', remedy: 'Ask the customer to subscribe again' },
  complained: { why: 'The customer reported a message as spam', remedy: 'Ask the customer to subscribe again' },
  no_company: { why: 'Your company name is missing', remedy: 'Enter your company name' },
  unverified: { why: 'Your email address is not verified', remedy: 'Verify your email address' },
  mail_stopped: { why: 'Emails to your customers are paused', remedy: 'Contact us' },
  by_hand: { why: 'You skipped the email', remedy: 'Send the skipped email now under Reminders' },
  unknown: { why: 'We could not tell whether the email was sent', remedy: 'Ask the customer whether it arrived' },
  refused: { why: 'The mail server refused the email', remedy: 'Check the email address' },
  deferred: { why: 'The mail server has not accepted the email yet', remedy: null },
  unreachable: { why: 'The mail server could not be reached', remedy: null },
  limited: { why: 'The daily email limit kept the email from being sent', remedy: null },
  waiting: { why: 'The email is planned, but has not been sent yet', remedy: null },
} as const satisfies Record<string, { why: string; remedy: string | null }>
export type WhyNoEmail = keyof typeof WHY_NO_EMAIL

/** Why the notice has not been given by email, in words. */
export function whyText(why: WhyNoEmail): string {
  return WHY_NO_EMAIL[why].why
}

/** What can still be done by a rule, as a sentence; with how its law wants a letter delivered. */
export function remedyText(why: WhyNoEmail, { means, preset }: RemedyRule): string {
  const { remedy } = WHY_NO_EMAIL[why]
  if (!means.includes('letter')) return `${remedy ?? 'We try again while there is time'}.`
  const { how } = deliveryOf(preset)
  const letter = how === null ? 'mail a letter.' : `deliver a letter as the law requires: ${withSmallInitial(how)}`
  return remedy === null ? withInitial(letter) : `${remedy}, or ${letter}`
}

/** A rule as far as it says what can be done. */
export interface RemedyRule {
  means: readonly NoticeMeans[]
  /** The law from which it was taken over; null: the account's own. */
  preset: NoticePresetKey | null
}

function withInitial(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function withSmallInitial(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** An email with the notice that was planned for a day of the window, or still waits to be sent. */
export interface NoticeMessage extends Pick<MessageBefore, 'state' | 'reason'> {
  contactId: number
  plannedAt: Date
}

/** Everything that decides whether an email with a notice will be sent. */
export interface NoticeSending {
  subject: NoticedSubject
  means: readonly NoticeMeans[]
  messages: readonly NoticeMessage[]
  /** Whether the subscription covers emails. */
  hasAccess: boolean
  hasCompanyName: boolean
  isOwnerVerified: boolean
  isMailStopped: boolean
  now: Date
}

/** An email that is still not sent this long after it was planned is not merely about to be. */
export const NOTICE_CHANCE_MS = 3_600_000

/**
 * Why the notice of a window in which it was not given has not been sent by email; undefined if it is about to be. Of several
 * contacts one that can be reached is enough.
 */
export function whyNoEmail(sending: NoticeSending): WhyNoEmail | undefined {
  const { subject, means, messages, hasAccess } = sending
  if (!means.includes('email')) return 'letter_only'
  if (!hasAccess) return 'no_access'
  if (subject.isMuted) return 'muted'
  const lines = customerLines(subject.contacts)
  const reached = lines.filter((line) => !unreachableAt(subject, line))
  if (reached.length === 0) return whyUnreachable(subject)
  const cause = holdsUp(sending)
  if (cause) return WHY_HELD_UP[cause]
  const whys = reached.map(({ contactId }) => {
    return whyUnsent(
      messages.filter((message) => message.contactId === contactId),
      sending.now,
    )
  })
  if (whys.includes(undefined)) return undefined
  return whys.includes('waiting') ? 'waiting' : whys[0]
}

const WHY_HELD_UP = { company: 'no_company', owner: 'unverified', stop: 'mail_stopped' } as const

/** The first contact always gets the customer's messages, so that only its address can be the reason. */
function whyUnreachable(subject: NoticedSubject): WhyNoEmail {
  const why = unreachableAt(subject, { recipient: 'customer', contactId: 0, channel: 'email' })
  return why === undefined || why === 'contact_off' || why === 'second_copy' ? 'no_address' : why
}

const KNOWN = ['by_hand', 'unknown', 'refused', 'deferred', 'unreachable', 'limited'] as const

/** Of one reader who can be reached, by the messages to them, the first of which was planned first. */
function whyUnsent(messages: readonly NoticeMessage[], now: Date): WhyNoEmail | undefined {
  const ended = messages.findLast(({ state }) => isEnded(state))
  const known = KNOWN.find((reason) => reason === ended?.reason)
  if (known) return known
  const hadChance = messages.some(({ state, plannedAt }) => {
    const isLong = now.getTime() - plannedAt.getTime() >= NOTICE_CHANCE_MS
    // A clock that was ahead has planned and ended it, so that there is no other before that day.
    return isLong || (isEnded(state) && plannedAt > now)
  })
  return hadChance ? 'waiting' : undefined
}

function isEnded(state: NoticeMessage['state']): boolean {
  return state === 'skipped' || state === 'failed'
}

/** The last warning of a window: how many days before, and of which last day. */
export interface Warning {
  days: WarningDays
  lastDay: Day
}

/**
 * Which warning is due that a window closes without notice: the nearest that has been reached, unless it or a nearer one
 * was given. Another last day is warned of again. While an email is waiting, only the last warning is given.
 */
export function warningDue(
  { lastDay, why, warned }: { lastDay: Day; why: WhyNoEmail | undefined; warned: Warning | null },
  today: Day,
): WarningDays | undefined {
  const days = warningReached(lastDay, today)
  if (days === undefined || why === undefined) return undefined
  if (why === 'waiting' && days > LAST_WARNING_DAYS) return undefined
  return warned && warned.lastDay === lastDay && warned.days <= days ? undefined : days
}

/** The nearest warning of a window that has been reached; undefined before the first, and once the window has closed. */
export function warningReached(lastDay: Day, today: Day): WarningDays | undefined {
  const left = daysBetween(today, lastDay)
  return left < 0 ? undefined : WARNING_DAYS.findLast((days) => left <= days)
}
