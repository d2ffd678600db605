import { useId } from 'react'
import { Area, Bar, Curve } from 'victory'
import { formatCompactMoney } from '#client/text/format.ts'
import type { Chart, Point } from './chart.ts'
import type { PlotArea } from './plot-area.ts'
import classes from './plot.module.css'

const WIDEST_BAR = 72
const REVENUE = 'var(--traxx-chart-revenue)'
const GROWTH = 'var(--traxx-chart-growth)'

interface ShapeProps {
  kind: Chart['kind']
  area: PlotArea
  points: Point[]
  /** The point that stands out. */
  active: number | undefined
}

/** The points, as Victory draws them. */
export function Shape({ kind, ...shape }: ShapeProps) {
  if (kind === 'bar') return <Bars {...shape} />
  return kind === 'area' ? <FilledLine {...shape} /> : <Line {...shape} color={GROWTH} />
}

type PartProps = Omit<ShapeProps, 'kind'>

function Bars({ area: { band, bottom, xOf, yOf }, points, active }: PartProps) {
  const barWidth = Math.min(band * 0.55, WIDEST_BAR)
  return points.map(({ name, value }, index) => (
    <g key={name} className={classes.bar} data-dimmed={isDimmed(index, active)}>
      <text x={xOf(index)} y={yOf(value) - 7} textAnchor="middle">
        {formatCompactMoney(value)}
      </text>
      {value > 0 && (
        <Bar
          {...{ barWidth, x: xOf(index), y: Math.min(yOf(value), bottom - 2), y0: bottom }}
          cornerRadius={{ top: 4 }}
          style={{ fill: REVENUE, stroke: 'none' }}
        />
      )}
    </g>
  ))
}

function FilledLine({ area, points, active }: PartProps) {
  const id = useId()
  return (
    <>
      <linearGradient id={id} x1="0" x2="0" y1="0" y2="1">
        <stop offset="0" stopColor={REVENUE} stopOpacity={0.32} />
        <stop offset="1" stopColor={REVENUE} stopOpacity={0.02} />
      </linearGradient>
      <Area {...curveOf(area, points)} style={{ fill: `url(#${id})` }} />
      <Line area={area} points={points} active={active} color={REVENUE} />
    </>
  )
}

function Line({ area, points, active, color }: PartProps & { color: string }) {
  const { xOf, yOf, top, bottom } = area
  return (
    <>
      {active !== undefined && (
        <line className={classes.guide} x1={xOf(active)} x2={xOf(active)} y1={top} y2={bottom} />
      )}
      <Curve {...curveOf(area, points)} style={{ stroke: color, strokeWidth: 2.5, strokeLinecap: 'round' }} />
      {points.map(({ name, value }, index) => (
        <circle
          key={name}
          className={classes.dot}
          style={{ stroke: color }}
          cx={xOf(index)}
          cy={yOf(value)}
          r={index === active ? 6 : 4}
        />
      ))}
    </>
  )
}

/** Victory's name for a curve through every point, which never overshoots one. */
function curveOf({ xOf, yOf }: PlotArea, points: Point[]) {
  const data = points.map(({ value }, index) => ({ _x: index, _y: value, _y0: 0 }))
  return { data, scale: { x: xOf, y: yOf }, interpolation: 'monotoneX' }
}

function isDimmed(index: number, active: number | undefined): true | undefined {
  return (active !== undefined && active !== index) || undefined
}
