import type { Point } from './chart.ts'

export interface PieSlice {
  point: Point
  /** Its index among all points, including those of 0. */
  index: number
  /** In degrees, clockwise from the top. */
  startAngle: number
  endAngle: number
}

/** The slices of the points that are more than 0. */
export function slicesOf(points: Point[]): PieSlice[] {
  const total = points.reduce((sum, { value }) => sum + value, 0)
  let endAngle = 0
  const slices = points.map((point, index) => {
    const startAngle = endAngle
    endAngle += (point.value / total) * 360
    return { point, index, startAngle, endAngle }
  })
  return slices.filter(({ point }) => point.value > 0)
}
