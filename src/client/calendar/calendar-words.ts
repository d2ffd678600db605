import { formatLongDay, formatMoney } from '#client/text/format.ts'
import { counted } from '#client/text/counted.ts'
import type { CalendarDay } from './calendar-view.ts'

/** What is on a day, as in "3 renewals, $4,200.00. Notice for 1 contract, $500.00". */
export function dayText({ renewals, renewalAmount, notices, noticeAmount }: Omit<CalendarDay, 'day'>): string {
  const parts = [
    renewals === 0 ? [] : `${counted(renewals, 'renewals')}, ${formatMoney(renewalAmount)}`,
    notices === 0 ? [] : `Notice for ${counted(notices, 'contracts')}, ${formatMoney(noticeAmount)}`,
  ].flat()
  return parts.length === 0 ? 'Nothing' : parts.join('. ')
}

export function dayLabel(figures: CalendarDay): string {
  return `${formatLongDay(figures.day)}: ${dayText(figures)}`
}
