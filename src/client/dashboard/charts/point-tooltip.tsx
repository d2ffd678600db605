import type { Point } from './chart.ts'
import classes from './plot.module.css'

const REACH = 80

interface PointTooltipProps {
  point: Point
  /** What it points at, in pixels. */
  x: number
  y: number
  /** The width of the plot, which it must not leave. */
  within?: number
  /** By touch: the next tap follows the link. */
  isTouched: boolean
}

/** The tooltip above a point. */
export function PointTooltip({ point, x, y, within, isTouched }: PointTooltipProps) {
  const left = within === undefined ? x : Math.min(Math.max(x, REACH), within - REACH)
  return (
    <div role="tooltip" className={classes.tooltip} style={{ left, top: y - 12 }}>
      <span>{point.name}</span>
      <strong>{point.text}</strong>
      {isTouched && <small>Tap again to see the contracts</small>}
    </div>
  )
}
