import { useRef } from 'react'
import { Slice } from 'victory'
import { formatCount, formatPercent } from '#client/text/format.ts'
import type { Chart, Point } from './chart.ts'
import { HEIGHT } from './plot-area.ts'
import { slicesOf, type PieSlice } from './pie.ts'
import classes from './plot.module.css'
import { PointLinks } from './point-links.tsx'
import { PointTooltip } from './point-tooltip.tsx'
import { summaryOf } from './summary.ts'
import { useActivePoint, type ActivePoint } from './use-active-point.ts'
import { useWidth } from './use-width.ts'

const LARGEST = 100
const HOLE = 0.62

/** A ring of slices, and a legend, whose links are for the keyboard. */
export function PiePlot({ chart, points }: { chart: Chart; points: Point[] }) {
  const [ref, width] = useWidth()
  const active = useActivePoint()
  const slices = slicesOf(points)
  const radius = Math.min(LARGEST, width * 0.21)
  const shown = slices.find(({ index }) => index === active.index)
  const legend = useRef<HTMLDivElement>(null)
  const onFollow = (index: number) => legend.current?.querySelectorAll('a')[index]?.click()
  return (
    <div ref={ref} className={classes.pie}>
      <div className={classes.plot}>
        <Ring {...{ chart, slices, radius, active, onFollow }} />
        {shown && <RingTooltip slice={shown} radius={radius} isTouched={active.isTouched} />}
      </div>
      <PointLinks ref={legend} {...{ chart, points, active }} className={classes.legend}>
        {(point) => <LegendEntry point={point} total={totalOf(points)} />}
      </PointLinks>
    </div>
  )
}

interface RingProps {
  chart: Chart
  slices: PieSlice[]
  radius: number
  active: ActivePoint
  onFollow: (index: number) => void
}

function Ring({ chart, slices, radius, active, onFollow }: RingProps) {
  const points = slices.map(({ point }) => point)
  const padAngle = slices.length > 1 ? 1.5 : 0
  return (
    <svg width={radius * 2} height={HEIGHT} role="img" aria-label={chart.title}>
      <desc>{summaryOf(points)}</desc>
      {slices.map(({ point, index, startAngle, endAngle }) => (
        <g
          key={point.name}
          className={classes.slice}
          fill={point.color}
          data-dimmed={(active.index !== undefined && active.index !== index) || undefined}
          onPointerEnter={(event) => active.onPointerEnter(event, index)}
          onPointerLeave={active.onPointerLeave}
          onClick={(event) => {
            active.onClick(event)
            if (!event.defaultPrevented) onFollow(index)
          }}
        >
          <Slice
            {...{ padAngle, radius, innerRadius: radius * HOLE, cornerRadius: 2 }}
            sliceStartAngle={startAngle}
            sliceEndAngle={endAngle}
            origin={{ x: radius, y: HEIGHT / 2 }}
          />
        </g>
      ))}
      <text className={classes.total} x={radius} y={HEIGHT / 2 - 2}>
        {formatCount(totalOf(points))}
      </text>
      <text className={classes.totalLabel} x={radius} y={HEIGHT / 2 + 17}>
        total
      </text>
    </svg>
  )
}

interface RingTooltipProps {
  slice: PieSlice
  radius: number
  isTouched: boolean
}

function RingTooltip({ slice: { point, startAngle, endAngle }, radius, isTouched }: RingTooltipProps) {
  const middle = ((startAngle + endAngle) / 2) * (Math.PI / 180)
  const reach = (radius * (1 + HOLE)) / 2
  const [x, y] = [radius + reach * Math.sin(middle), HEIGHT / 2 - reach * Math.cos(middle)]
  return <PointTooltip point={point} x={x} y={y} isTouched={isTouched} />
}

function LegendEntry({ point: { label, value, color }, total }: { point: Point; total: number }) {
  return (
    <>
      <span className={classes.swatch} style={{ background: color }} />
      <span>{label}</span> <strong>{formatCount(value)}</strong>{' '}
      <span className={classes.share}>{formatPercent((value / total) * 100)}</span>
    </>
  )
}

function totalOf(points: Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0)
}
