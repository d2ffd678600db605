import type { Interval } from './object-types.ts'

export interface Cycle {
  interval: Interval
  interval_count: number
}

const SECONDS = { day: 86_400, week: 7 * 86_400 }

/** The first end of a cycle after `moment`, counted from the anchor, so that the 31st comes back after February. */
export function nextCycleEnd(anchor: number, cycle: Cycle, moment: number): number {
  let count = 1
  while (cycleEnd(anchor, cycle, count) <= moment) count += 1
  return cycleEnd(anchor, cycle, count)
}

export function addMonths(moment: number, months: number): number {
  const date = new Date(moment * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return Math.floor(date.getTime() / 1000)
}

function cycleEnd(anchor: number, { interval, interval_count }: Cycle, count: number): number {
  if (interval === 'month') return addMonths(anchor, interval_count * count)
  if (interval === 'year') return addMonths(anchor, 12 * interval_count * count)
  return anchor + SECONDS[interval] * interval_count * count
}
