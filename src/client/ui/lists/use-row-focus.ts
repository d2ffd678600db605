import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FocusEvent } from 'react'
import { whenFocusIsLost } from '#client/ui/lost-focus.ts'

/** The position of a control in a table, each counted from 0. */
interface Position {
  row: number
  cell: number
  control: number
}

const CONTROLS = 'a[href], button, input, select, textarea'

/**
 * Keeps the focus in a list whose focused row disappears: the same control of the next row gets it, or else the list's
 * search field. `rows` are the rows that are shown; `left` counts how often this happened.
 */
export function useRowFocus(rows: unknown) {
  const ref = useRef<HTMLDivElement>(null)
  const position = useRef<Position>(undefined)
  const [left, setLeft] = useState(0)

  const keep = useEffectEvent(() => {
    const list = ref.current
    if (!list || !position.current || document.activeElement !== document.body) return
    const next = controlAt(list, position.current) ?? list.querySelector<HTMLElement>('[role="searchbox"]') ?? list
    next.focus()
    setLeft((count) => count + 1)
  })
  useLayoutEffect(() => {
    keep()
    // React does not report a focus from before hydration.
    const focused = document.activeElement
    if (focused && ref.current?.contains(focused)) position.current = positionOf(focused)
  }, [rows])
  useEffect(() => whenFocusIsLost(() => keep()), [])

  const onFocus = ({ target }: FocusEvent) => {
    position.current = positionOf(target)
  }
  // React does not report the blur of an element that it removes.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!relatedTarget?.closest('[role="dialog"]')) position.current = undefined
  }
  return { left, list: { ref, onFocus, onBlur, tabIndex: -1 } }
}

function positionOf(control: Element): Position | undefined {
  const [row, cell] = [control.closest<HTMLTableRowElement>('tbody > tr'), control.closest('td')]
  if (!row || !cell) return undefined
  return {
    row: row.sectionRowIndex,
    cell: cell.cellIndex,
    control: [...cell.querySelectorAll(CONTROLS)].indexOf(control),
  }
}

function controlAt(list: Element, { row, cell, control }: Position): HTMLElement | undefined {
  const rows = [...list.querySelectorAll<HTMLTableRowElement>('tbody > tr')]
  const next = rows[Math.min(row, rows.length - 1)]
  const controls = next?.cells[cell] ? controlsIn(next.cells[cell]) : []
  return controls[control] ?? controls[0] ?? (next && controlsIn(next)[0])
}

function controlsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(CONTROLS)]
}
