import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
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

interface PointButtonsProps {
  chart: Chart
  points: Point[]
  active: ActivePoint
  className: string | undefined
  styleOf?: (index: number) => CSSProperties
  /** What a button shows and is named by; without it, it is named with the point and its value. */
  children?: (point: Point) => ReactNode
}

/**
 * A button for each point, or a link to what it counts, to be pointed at, touched, or reached by Tab and then the arrow
 * keys.
 */
export function PointButtons({ chart, points, active, className, styleOf, children }: PointButtonsProps) {
  // A finger leaves what it has touched at once; what it wanted to see stays.
  const hideFromMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse' && active.hide()
  const tabbable = active.index ?? 0
  return (
    <div role="group" aria-label={chart.columns.join(' and ')} className={className} onPointerLeave={hideFromMouse}>
      {points.map((point, index) => {
        const props = {
          className: classes.point ?? '',
          tabIndex: index === tabbable ? 0 : -1,
          'data-active': index === active.index || undefined,
          onFocus: () => active.show(index),
          onBlur: active.hide,
          onPointerEnter: () => active.show(index),
          onKeyDown: (event: KeyboardEvent) => move(event, index, active),
          children: children?.(point),
        }
        if (point.counted) return <CountedLink key={point.name} counted={point.counted} {...props} />
        return (
          <button
            key={point.name}
            type="button"
            style={styleOf?.(index)}
            aria-label={children ? undefined : `${point.name}: ${point.text}`}
            onClick={() => active.show(index)}
            {...props}
          />
        )
      })}
    </div>
  )
}

function move(event: KeyboardEvent, index: number, { hide }: ActivePoint): void {
  if (event.key === 'Escape') hide()
  const buttons = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('button, a') ?? [])]
  const next = MOVES[event.key]?.(index, buttons.length - 1)
  if (next === undefined) return
  event.preventDefault()
  buttons[next]?.focus()
}
