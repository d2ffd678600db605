import type { Point } from './chart.ts'
import { HEIGHT, type PlotArea } from './plot-area.ts'
import classes from './plot.module.css'

/** The round figures at the left with their lines, and the points' names below. */
export function Axes({ area, points }: { area: PlotArea; points: Point[] }) {
  const { left, right, ticks, xOf } = area
  return (
    <g className={classes.axes}>
      {ticks.map(({ y, text }, index) => (
        <g key={text}>
          <line x1={left} x2={right} y1={y} y2={y} data-base={index === 0 || undefined} />
          <text x={left - 8} y={y} dy="0.35em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {points.map(({ label }, index) => (
        <text key={label} x={xOf(index)} y={HEIGHT - 6} textAnchor="middle">
          {label}
        </text>
      ))}
    </g>
  )
}
