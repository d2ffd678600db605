import type { Day } from '#shared/domain/day.ts'

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export function dollars(amount: number): string {
  return DOLLARS.format(amount)
}

export function longDay(day: Day): string {
  return DAY.format(new Date(`${day}T00:00:00Z`))
}
