import { CYCLE_LABELS } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import type { Contract } from './use-contract-acts.ts'

/** What a term costs, as in "$120.00, yearly". */
export function pricePerTerm({ amount, renewalCycle }: Pick<Contract, 'amount' | 'renewalCycle'>): string {
  return `${formatMoney(amount)}, ${CYCLE_LABELS[renewalCycle].toLowerCase()}`
}

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
