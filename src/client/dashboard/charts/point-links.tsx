import type { CSSProperties, KeyboardEvent, ReactNode, Ref } from 'react'
import { CountedLink } from '#client/list/counted-link.tsx'
import type { Chart, Point } from './chart.ts'
import classes from './plot.module.css'
import type { ActivePoint } from './use-active-point.ts'

const MOVES: Record<string, (index: number, last: number) => number> = {
  ArrowRight: (index, last) => Math.min(index + 1, last),
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowLeft: (index) => Math.max(index - 1, 0),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

interface PointLinksProps {
  chart: Chart
  points: Point[]
  active: ActivePoint
  className: string | undefined
  ref?: Ref<HTMLDivElement>
  styleOf?: (index: number) => CSSProperties
  /** What a link shows; without it, the link is named by the point and its value. */
  children?: (point: Point) => ReactNode
}

/** A link to what each point counts, to be pointed at, touched, or reached by Tab and then the arrow keys. */
export function PointLinks({ chart, points, active, className, ref, styleOf, children }: PointLinksProps) {
  const tabbable = active.index ?? 0
  return (
    <div
      ref={ref}
      role="group"
      aria-label={chart.columns.join(' and ')}
      className={className}
      onPointerLeave={active.onPointerLeave}
    >
      {points.map((point, index) => (
        <CountedLink
          key={point.name}
          counted={point.counted}
          className={classes.point ?? ''}
          style={styleOf?.(index)}
          aria-label={children ? undefined : `${point.name}: ${point.text}`}
          tabIndex={index === tabbable ? 0 : -1}
          data-active={index === active.index || undefined}
          onFocus={() => active.show(index)}
          onBlur={() => active.blur(index)}
          onPointerEnter={(event) => active.onPointerEnter(event, index)}
          // Its figures are visible, so it needs no tooltip.
          onClick={children ? undefined : active.onClick}
          onKeyDown={(event) => move(event, index, active)}
        >
          {children?.(point)}
        </CountedLink>
      ))}
    </div>
  )
}

function move(event: KeyboardEvent, index: number, { hide }: ActivePoint): void {
  if (event.key === 'Escape') hide()
  const links = [...(event.currentTarget.parentElement?.querySelectorAll('a') ?? [])]
  const next = MOVES[event.key]?.(index, links.length - 1)
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}
