import { daysBetween, dayIn } from '#shared/domain/day.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { formatDate, formatTime } from '#client/text/format.ts'

const DATED_AFTER_DAYS = 7

type NotificationType = Outputs['notifications']['list']['rows'][number]['type']

export const TYPE_BADGES: Record<NotificationType, { label: string; color: string }> = {
  renewal_reminder: { label: 'Renewal Reminder', color: 'cobalt' },
  overdue: { label: 'Overdue Notice', color: 'red' },
  follow_up: { label: 'Follow-up', color: 'yellow' },
  other: { label: 'Notification', color: 'gray' },
}

/** When a notification came, by the calendar of that time zone. */
export function whenText(createdAt: Date, { now, timeZone }: { now: Date; timeZone: string }): string {
  const daysAgo = daysBetween(dayIn(createdAt, timeZone), dayIn(now, timeZone))
  if (daysAgo <= 0) return `Today at ${formatTime(createdAt, timeZone)}`
  if (daysAgo === 1) return `Yesterday at ${formatTime(createdAt, timeZone)}`
  return daysAgo < DATED_AFTER_DAYS ? `${daysAgo} days ago` : formatDate(createdAt, timeZone)
}

const DATE = /\b((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (\d{1,2}), (\d{4})\b/g

/** A message whose dates do not break across lines. */
export function withUnbrokenDates(message: string): string {
  return message.replaceAll(DATE, '$1\u00A0$2,\u00A0$3')
}
