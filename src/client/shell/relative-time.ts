const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago a moment was, in its largest whole unit; a moment in the future counts as now. */
export function relativeTime(moment: Date, now: Date): string {
  const ago = now.getTime() - moment.getTime()
  if (ago < MINUTE) return 'Just now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)}m ago`
  if (ago < DAY) return `${Math.floor(ago / HOUR)}h ago`
  return `${Math.floor(ago / DAY)}d ago`
}
