import { CYCLE_LABELS } from '#client/text/contract-words.ts'
import { formatDay } from '#client/text/format.ts'
import type { Contract } from './use-contract-acts.ts'

/** How a contract's renewal date comes about. */
export function renewalExplained({
  term,
  termStart,
  anchorDate,
  renewalCycle,
  noticeDate,
  noticePeriod,
}: Contract): string {
  const kept = anchorDate === termStart ? '' : `, keeping the day of the month of ${formatDay(anchorDate)}`
  const notice = noticeDate && noticePeriod ? ` Notice by ${formatDay(noticeDate)}: ${noticePeriod} before.` : ''
  return `Term ${term} began on ${formatDay(termStart)}, ${CYCLE_LABELS[renewalCycle].toLowerCase()}${kept}.${notice}`
}
