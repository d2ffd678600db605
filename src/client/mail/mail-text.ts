import { formatCount, formatDay } from '#client/text/format.ts'
import type { AnnouncedMail } from './use-announced-mail.ts'

/** How many emails go to a customer, and when first: '2 emails to Harbor will go out, the first on Mar 5, 2027.' */
export function mailText({ count, first }: AnnouncedMail, customerName: string): string {
  if (first === null) return `No emails will go to ${customerName} in the next 90 days.`
  const emails = count === 1 ? '1 email' : `${formatCount(count)} emails`
  return `${emails} to ${customerName} will go out, the first on ${formatDay(first)}.`
}
