import { daysLater } from './model.ts'

/** On the same day of an earlier month, or its last one. */
export function monthsBefore(day: string, count: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - count, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return `${first.toISOString().slice(0, 8)}${String(Math.min(date, last)).padStart(2, '0')}`
}

export function before(day: string, count: number, unit: 'days' | 'months'): string {
  return unit === 'days' ? daysLater(day, -count) : monthsBefore(day, count)
}

export function daysUntil(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
