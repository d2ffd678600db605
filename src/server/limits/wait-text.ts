const MINUTE = 60
const HOUR = 3600

/** How long to wait, rounded up, as in "12 seconds", "1 minute" or "2 hours". */
export function waitText(seconds: number): string {
  if (seconds < MINUTE) return amount(seconds, 'second')
  if (seconds < HOUR) return amount(Math.ceil(seconds / MINUTE), 'minute')
  return amount(Math.ceil(seconds / HOUR), 'hour')
}

function amount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
