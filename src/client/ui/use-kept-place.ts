import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FocusEvent } from 'react'
import { whenFocusIsLost } from './lost-focus.ts'

/** Where in a table a control is, each counted from 0. */
interface Place {
  row: number
  cell: number
  control: number
}

const CONTROLS = 'a[href], button, input, select, textarea'

/**
 * For a list whose rows go while one of their controls has the focus, or has given it to a dialog: the same control of
 * the row that comes in its place gets it, else the list's search. `rows` are what is shown; `left` counts how often.
 */
export function useKeptPlace(rows: unknown) {
  const ref = useRef<HTMLDivElement>(null)
  const place = useRef<Place>(undefined)
  const [left, setLeft] = useState(0)

  const keep = useEffectEvent(() => {
    const list = ref.current
    if (!list || !place.current || document.activeElement !== document.body) return
    const next = controlAt(list, place.current) ?? list.querySelector<HTMLElement>('[role="searchbox"]') ?? list
    next.focus()
    setLeft((count) => count + 1)
  })
  useLayoutEffect(() => {
    keep()
    // React tells nothing of the focus that a control has before it takes the page over.
    const focused = document.activeElement
    if (focused && ref.current?.contains(focused)) place.current = placeOf(focused)
  }, [rows])
  useEffect(() => whenFocusIsLost(() => keep()), [])

  const onFocus = ({ target }: FocusEvent) => {
    place.current = placeOf(target)
  }
  // React tells nothing of the blur of an element that it takes away.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!relatedTarget?.closest('[role="dialog"]')) place.current = undefined
  }
  return { left, list: { ref, onFocus, onBlur, tabIndex: -1 } }
}

function placeOf(control: Element): Place | undefined {
  const [row, cell] = [control.closest<HTMLTableRowElement>('tbody > tr'), control.closest('td')]
  if (!row || !cell) return undefined
  return {
    row: row.sectionRowIndex,
    cell: cell.cellIndex,
    control: [...cell.querySelectorAll(CONTROLS)].indexOf(control),
  }
}

function controlAt(list: Element, { row, cell, control }: Place): HTMLElement | undefined {
  const rows = [...list.querySelectorAll<HTMLTableRowElement>('tbody > tr')]
  const next = rows[Math.min(row, rows.length - 1)]
  const controls = next?.cells[cell] ? controlsIn(next.cells[cell]) : []
  return controls[control] ?? controls[0] ?? (next && controlsIn(next)[0])
}

function controlsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(CONTROLS)]
}
