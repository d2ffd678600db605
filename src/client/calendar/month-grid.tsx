import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, type DragEvent, type KeyboardEvent } from 'react'
import { dayOfWeek, weeksOfMonth } from '#shared/domain/calendar.ts'
import { addDays, addMonths, isDay, monthOf, type Day } from '#shared/domain/day.ts'
import { counted } from '#client/text/counted.ts'
import { formatCompactMoney, formatCount, formatMonth, formatWeekday } from '#client/text/format.ts'
import { draggable } from './contract-entry.tsx'
import { dayLabel } from './calendar-words.ts'
import { emptyDay, type CalendarDay, type Contract } from './calendar-view.ts'
import classes from './calendar.module.css'

interface MonthGridProps {
  first: Day
  today: Day
  selected: Day | undefined
  figures: Map<Day, CalendarDay>
  /** By day, if there are few enough to name them. */
  names: { renewals: Map<Day, Contract[]>; notices: Map<Day | null, Contract[]> } | undefined
  dragged: Contract | undefined
  busy: boolean
  onSelect: (day: Day) => void
  onDrag: (contract: Contract | undefined) => void
  onDrop: (day: Day) => void
}

/** A month as a grid of weeks. Arrow keys go from day to day, Page Up and Page Down by months. */
export function MonthGrid(props: MonthGridProps) {
  const { first, selected, busy, onSelect } = props
  const weeks = weeksOfMonth(first)
  const grid = useRef<HTMLDivElement>(null)
  const isByKey = useRef(false)
  useEffect(() => {
    if (isByKey.current) grid.current?.querySelector<HTMLElement>(`[data-day="${selected}"]`)?.focus()
    isByKey.current = false
  }, [selected])
  const go = (event: KeyboardEvent) => {
    const next = dayAfterKey(event.key, focusedDay(event) ?? selected ?? first)
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    isByKey.current = true
    onSelect(next)
  }
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={-1}
      aria-label={formatMonth(monthOf(first))}
      aria-busy={busy}
      className={classes.grid}
      onKeyDown={go}
    >
      <div role="row" className={classes.week}>
        {weeks[0]?.map((day) => (
          <div key={day} role="columnheader" className={classes.weekday}>
            {formatWeekday(day)}
          </div>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week[0]} role="row" className={classes.week}>
          {week.map((day) => (
            <DayCell key={day} day={day} {...props} />
          ))}
        </div>
      ))}
    </div>
  )
}

function focusedDay({ target }: KeyboardEvent): Day | undefined {
  const day = target instanceof Element ? target.closest('[data-day]')?.getAttribute('data-day') : undefined
  return day && isDay(day) ? day : undefined
}

function dayAfterKey(key: string, day: Day): Day | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'PageUp':
      return addMonths(day, -1)
    case 'PageDown':
      return addMonths(day, 1)
    case 'Home':
      return addDays(day, -dayOfWeek(day))
    case 'End':
      return addDays(day, 6 - dayOfWeek(day))
    default:
      return undefined
  }
}

function DayCell({ day, first, today, selected, figures, names, dragged, ...acts }: MonthGridProps & { day: Day }) {
  const ofDay = figures.get(day) ?? emptyDay(day)
  const isDropTarget = dragged !== undefined && dragged.renewalDate !== day
  // One stop of the Tab key for the whole grid.
  const isStop = day === (selected && monthOf(selected) === monthOf(first) ? selected : first)
  const over = (event: DragEvent) => {
    if (isDropTarget) event.preventDefault()
  }
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      aria-selected={day === selected}
      className={classes.cell}
      data-outside={monthOf(day) === monthOf(first) ? undefined : true}
      data-today={day === today ? true : undefined}
      data-target={isDropTarget ? true : undefined}
      onDragOver={over}
      onDrop={(event) => {
        event.preventDefault()
        acts.onDrop(day)
      }}
    >
      <button
        type="button"
        className={classes.day}
        data-day={day}
        tabIndex={isStop ? 0 : -1}
        aria-current={day === today ? 'date' : undefined}
        onClick={() => acts.onSelect(day)}
      >
        <VisuallyHidden>{dayLabel(ofDay)}</VisuallyHidden>
        <span aria-hidden className={classes.number}>
          {Number(day.slice(8))}
        </span>
        {ofDay.renewals > 0 && (
          <span aria-hidden className={classes.amount}>
            {formatCompactMoney(ofDay.renewalAmount)}
          </span>
        )}
      </button>
      <DayContents ofDay={ofDay} renewals={names?.renewals.get(day)} notices={names?.notices.get(day)} {...acts} />
    </div>
  )
}

const NAMED = 3

interface DayContentsProps extends Pick<MonthGridProps, 'onDrag'> {
  ofDay: CalendarDay
  renewals: Contract[] | undefined
  notices: Contract[] | undefined
}

/** Who renews, and for whom notice is due; of many, how many. What it shows is in the label of the day. */
function DayContents({ ofDay, renewals = [], notices = [], onDrag }: DayContentsProps) {
  const shown = renewals.slice(0, NAMED)
  const shownNotices = notices.slice(0, NAMED - shown.length)
  const moreRenewals = ofDay.renewals - shown.length
  const moreNotices = ofDay.notices - shownNotices.length
  return (
    <div aria-hidden className={classes.contents}>
      {shown.map((contract) => (
        <span
          key={contract.id}
          className={classes.chip}
          title={contract.customerName}
          {...draggable(contract, { onDrag })}
        >
          {contract.customerName}
        </span>
      ))}
      {shownNotices.map(({ id, customerName }) => (
        <span key={id} className={classes.chip} data-notice title={`Notice: ${customerName}`}>
          {`Notice: ${customerName}`}
        </span>
      ))}
      {moreRenewals > 0 && (
        <span className={classes.more}>
          {shown.length > 0 ? `+${formatCount(moreRenewals)} more` : counted(moreRenewals, 'renewals')}
        </span>
      )}
      {moreNotices > 0 && <span className={classes.more}>{counted(moreNotices, 'notices')}</span>}
    </div>
  )
}
