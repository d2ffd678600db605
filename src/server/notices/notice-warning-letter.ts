import type { Day } from '#shared/domain/day.ts'
import { daysBetween } from '#shared/domain/day.ts'
import { remedyText, whyText, type RemedyRule, type WhyNoEmail } from '#shared/domain/notice-warning.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import { dateText, whenText } from '#server/mail/formats.ts'
import type { Fact, Letter } from '#server/mail/letter.ts'

/** A window that is about to close without notice. */
export interface AtRisk extends RemedyRule {
  customerName: string
  title: string | null
  lastDay: Day
  why: WhyNoEmail
}

/** More would be too long to read; the page Notices has them all. */
export const MOST_LISTED = 50

/** The email that warns an owner of so many, of which the first to close are listed. */
export function noticeWarningLetter(
  atRisk: readonly [AtRisk, ...AtRisk[]],
  { count, today, publicUrl }: { count: number; today: Day; publicUrl: string },
): { subject: string; letter: Letter } {
  const [{ customerName, lastDay }] = atRisk
  const more = count - atRisk.length
  const closes = `${whenText(daysBetween(today, lastDay))}, on ${dateText(lastDay)}`
  const subject =
    count === 1
      ? `${withoutDirectionMarks(customerName)} has not been told yet that a contract renews: the time for it ends ${closes}`
      : `${count.toLocaleString('en-US')} customers have not been told yet that a contract renews: the time for it ends ${closes}`
  const letter: Letter = {
    sender: 'TRAXX',
    parts: [
      { text: 'Hello,' },
      {
        text: 'By the rules that you chose, these customers must be told that their contracts renew. They have not been told yet, and time is running out:',
      },
      { facts: atRisk.map((one) => factOf(one, today)) },
      ...(more > 0 ? [{ text: `And ${more.toLocaleString('en-US')} more.` }] : []),
      { link: { label: 'Open Notices', url: `${publicUrl}/notices` } },
    ],
    note: 'You are receiving this email because notice rules apply to your contracts in TRAXX. It is usually sent at most once a day.',
  }
  return { subject, letter }
}

function factOf({ customerName, title, lastDay, why, ...rule }: AtRisk, today: Day): Fact {
  const name = withoutDirectionMarks(customerName)
  const contract = title === null ? name : `${name}, ${withoutDirectionMarks(title)}`
  const closes = `Closes ${whenText(daysBetween(today, lastDay))}, on ${dateText(lastDay)}`
  return [contract, `${closes}. ${whyText(why)}. ${remedyText(why, rule)}`]
}
