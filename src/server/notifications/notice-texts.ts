import type { Day } from '#shared/domain/day.ts'
import { remedyText, whyText, type RemedyRule, type WhyNoEmail } from '#shared/domain/notice-warning.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import { dateText, whenText } from '#server/mail/formats.ts'

/** A notice window that is about to close without notice, for a notification. */
export interface NoticeAtRisk extends RemedyRule {
  contractId: number
  customerName: string
  title: string | null
  lastDay: Day
  daysLeft: number
  why: WhyNoEmail
}

/** What the owner reads in the app about it, and where it leads. */
export function noticeAtRiskText({ contractId, customerName, title, lastDay, daysLeft, why, ...rule }: NoticeAtRisk) {
  const contract = title === null ? 'the contract' : `the contract "${withoutDirectionMarks(title)}"`
  return {
    title: `${customerName} has not been told yet`,
    message: `The time to tell them that ${contract} renews ends ${whenText(daysLeft)}, on ${dateText(lastDay)}. ${whyText(why)}. ${remedyText(why, rule)}`,
    actionUrl: `/contracts?open=${contractId}`,
  }
}

/** The same about several. */
export function noticesAtRiskText({ count, lastDay }: { count: number; lastDay: Day }) {
  return {
    title: `${count.toLocaleString('en-US')} customers have not been told yet`,
    message: `The time to tell them that their contracts renew ends soon, for the first on ${dateText(lastDay)}. Open Notices to see why, and what you can do.`,
    actionUrl: '/notices',
  }
}
