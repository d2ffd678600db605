import type { Point } from './chart.ts'

/** What a chart says at a glance, in words. */
export function summaryOf(points: Point[]): string {
  const [lowest, highest] = [points.toSorted(byValue)[0], points.toSorted(byValue).at(-1)]
  if (!lowest || !highest) return ''
  return `Highest: ${highest.name}, ${highest.text}. Lowest: ${lowest.name}, ${lowest.text}.`
}

function byValue(one: Point, other: Point): number {
  return one.value - other.value
}
