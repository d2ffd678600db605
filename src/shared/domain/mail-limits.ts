import { isPaying, type SubscriptionState } from './access.ts'
import { addDays, dayIn, type Day } from './day.ts'
import { instantOf } from './reminder-hour.ts'

/** How many emails to customers may be sent a day. */
export interface MailLimits {
  /** To one address, from all accounts together. */
  toAddress: number
  /** From an account in trial, and from one that has not paid. */
  ofTrial: number
  /** From an account that pays. */
  ofPaying: number
}

/** The limit that keeps a message from being sent today. */
export type MailLimit = 'account_limit' | 'address_limit'

const UTC = 'UTC'

/** The day that limits count by: the same for all accounts, because accounts of every time zone may write to one address. */
export function mailDay(now: Date): Day {
  return dayIn(now, UTC)
}

/** When the next day of the limits begins. */
export function limitsResetAt(now: Date): Date {
  return instantOf(addDays(mailDay(now), 1), 0, UTC)
}

/** When a message that met a limit is tried again: at the account's hour, on the next day of the limits. */
export function triedAgainAt(now: Date, { hour, timeZone }: { hour: number; timeZone: string }): Date {
  const reset = limitsResetAt(now)
  const sameDay = instantOf(dayIn(reset, timeZone), hour, timeZone)
  return sameDay >= reset ? sameDay : instantOf(addDays(dayIn(reset, timeZone), 1), hour, timeZone)
}

/** How many emails to customers the account may send on a day. */
export function limitOfAccount(limits: MailLimits, subscription: SubscriptionState | null, billingNow: Date): number {
  return isPaying(subscription, billingNow) ? limits.ofPaying : limits.ofTrial
}

/**
 * The mailbox that an address most likely belongs to, for limits and closed addresses: 'Bob+news@Example.COM.' is
 * 'bob@example.com', and dots do not count at Gmail. Never an address to write to. `mailbox_of` is the same in SQL.
 */
export function mailboxOf(address: string): string {
  const text = address.normalize('NFKC').trim().toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 1) return text
  const domain = DOMAIN_ALIASES[trimDots(text.slice(at + 1))] ?? trimDots(text.slice(at + 1))
  const [untagged = ''] = text.slice(0, at).split('+')
  const name = trimDots(untagged)
  return `${domain === GMAIL ? name.replaceAll('.', '') : name}@${domain}`
}

const GMAIL = 'gmail.com'
const DOMAIN_ALIASES: Record<string, string> = { 'googlemail.com': GMAIL }

function trimDots(text: string): string {
  return text.replaceAll(/^\.+|\.+$/g, '')
}
