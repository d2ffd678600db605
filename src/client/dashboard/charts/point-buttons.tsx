import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
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

interface PointButtonsProps {
  chart: Chart
  points: Point[]
  active: ActivePoint
  className: string | undefined
  styleOf?: (index: number) => CSSProperties
  /** What a button shows and is named by; without it, it is named with the point and its value. */
  children?: (point: Point) => ReactNode
}

/** A button for each point, to be pointed at, touched, or reached by Tab and then the arrow keys. */
export function PointButtons({ chart, points, active, className, styleOf, children }: PointButtonsProps) {
  // A finger leaves what it has touched at once; what it wanted to see stays.
  const hideFromMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse' && active.hide()
  const tabbable = active.index ?? 0
  return (
    <div role="group" aria-label={chart.columns.join(' and ')} className={className} onPointerLeave={hideFromMouse}>
      {points.map((point, index) => (
        <button
          key={point.name}
          type="button"
          className={classes.point}
          style={styleOf?.(index)}
          tabIndex={index === tabbable ? 0 : -1}
          aria-label={children ? undefined : `${point.name}: ${point.text}`}
          data-active={index === active.index || undefined}
          onFocus={() => active.show(index)}
          onBlur={active.hide}
          onPointerEnter={() => active.show(index)}
          onClick={() => active.show(index)}
          onKeyDown={(event) => move(event, index, active)}
        >
          {children?.(point)}
        </button>
      ))}
    </div>
  )
}

function move(event: KeyboardEvent, index: number, { hide }: ActivePoint): void {
  if (event.key === 'Escape') hide()
  const buttons = [...(event.currentTarget.parentElement?.querySelectorAll('button') ?? [])]
  const next = MOVES[event.key]?.(index, buttons.length - 1)
  if (next === undefined) return
  event.preventDefault()
  buttons[next]?.focus()
}
