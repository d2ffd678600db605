import { Axes } from './axes.tsx'
import type { Chart, Point } from './chart.ts'
import { HEIGHT, plotArea } from './plot-area.ts'
import classes from './plot.module.css'
import { PointLinks } from './point-links.tsx'
import { PointTooltip } from './point-tooltip.tsx'
import { Shape } from './shape.tsx'
import { summaryOf } from './summary.ts'
import { useActivePoint } from './use-active-point.ts'
import { useWidth } from './use-width.ts'

/** A chart of values over months or kinds. */
export function RangePlot({ chart, points }: { chart: Chart; points: Point[] }) {
  const [ref, width] = useWidth()
  const active = useActivePoint()
  const area = plotArea(chart, points, width)
  const { left, top, bottom, band, xOf, yOf } = area
  const shown = active.index === undefined ? undefined : points[active.index]
  return (
    <div ref={ref} className={classes.plot}>
      <svg width={width} height={HEIGHT} role="img" aria-label={chart.title}>
        <desc>{summaryOf(points)}</desc>
        <Axes area={area} points={points} />
        <Shape kind={chart.kind} area={area} points={points} active={active.index} />
      </svg>
      <PointLinks
        {...{ chart, points, active }}
        className={classes.bands}
        styleOf={(index) => ({ left: left + band * index, width: band, top, height: bottom - top })}
      />
      {shown && (
        <PointTooltip
          point={shown}
          x={xOf(points.indexOf(shown))}
          y={yOf(shown.value)}
          within={width}
          isTouched={active.isTouched}
        />
      )}
    </div>
  )
}
