import { counted } from '#client/text/counted.ts'
import { formatCount, formatDay } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'

export type AnnouncedMail = Outputs['reminders']['announceMail']
export type AnnouncedNotices = Outputs['reminders']['announceTag']

/** How many emails go to a customer, and when first: '2 emails to Harbor will go out, the first on Mar 5, 2027.' */
export function mailText({ count, first }: AnnouncedMail, customerName: string): string {
  if (first === null) return `No emails will go to ${customerName} in the next 90 days.`
  if (count === 1) return `1 email to ${customerName} will go out on ${formatDay(first)}.`
  return `${formatCount(count)} emails to ${customerName} will go out, the first on ${formatDay(first)}.`
}

/** Where that could not be found out. */
export function unknownMailText(customerName: string): string {
  return `We could not check which emails ${customerName} will get.`
}

/** Where asking failed. */
export const UNKNOWN_MAIL = { failed: 'Failed to check which emails will be sent' }

/** How many notices rules bring: '2 notices to customers will go out by email today.' Empty if none. */
export function noticesTodayText({ notices, isAll }: AnnouncedNotices, to = 'customers'): string {
  if (isAll) return notices > 0 ? `${counted(notices, 'notices')} to ${to} will go out by email today.` : ''
  return notices > 0
    ? `At least ${counted(notices, 'notices')} to ${to} will go out by email today.`
    : `Notices to ${to} may go out by email today. There are too many contracts to check them all.`
}
