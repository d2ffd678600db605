import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FocusEvent } from 'react'
import { whenFocusIsLost } from '#client/ui/lost-focus.ts'

/** The position of a control in a list, each counted from 0. */
interface Position {
  row: number
  /** An entry that is no row of a table is one cell. */
  cell: number
  /** From the last: rows differ in their links and buttons, and end alike. */
  control: number
}

/** Selectors. */
interface Kind {
  row: string
  control: string
  /** What gets the focus if no row can have it. */
  otherwise: string
}

const TABLE: Kind = {
  row: 'tbody > tr',
  control: 'a[href], button, input, select, textarea',
  otherwise: '[role="searchbox"]',
}

/** Entries of a list whose first button adds one. Links in an entry do nothing with it. */
export const ENTRIES: Kind = { row: 'li', control: 'button, input, select, textarea', otherwise: 'button' }

/**
 * Keeps the focus in a list whose focused row disappears: the same control of the next row gets it, or of the one before, or
 * else the list's search field. `rows` are the rows that are shown; `left` counts how often this happened.
 */
export function useRowFocus(rows: unknown, kind = TABLE) {
  const ref = useRef<HTMLDivElement>(null)
  const position = useRef<Position>(undefined)
  const [left, setLeft] = useState(0)

  const keep = useEffectEvent(() => {
    const list = ref.current
    if (!list || !position.current || document.activeElement !== document.body) return
    const next = controlAt(list, position.current, kind) ?? list.querySelector<HTMLElement>(kind.otherwise) ?? list
    next.focus()
    setLeft((count) => count + 1)
  })
  useLayoutEffect(() => {
    keep()
    // React does not report a focus from before hydration.
    const focused = document.activeElement
    if (focused && ref.current?.contains(focused)) position.current = positionOf(focused, ref.current, kind)
  }, [rows, kind])
  useEffect(() => whenFocusIsLost(() => keep()), [])

  const onFocus = ({ target }: FocusEvent) => {
    position.current = ref.current ? positionOf(target, ref.current, kind) : undefined
  }
  // React does not report the blur of an element that it removes.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!relatedTarget?.closest('[role="dialog"]')) position.current = undefined
  }
  return { left, list: { ref, onFocus, onBlur, tabIndex: -1 } }
}

function positionOf(control: Element, list: Element, kind: Kind): Position | undefined {
  const rows = elementsIn(list, kind.row)
  const row = rows.findIndex((one) => one.contains(control))
  const cells = cellsOf(rows[row])
  const cell = cells.findIndex((one) => one.contains(control))
  if (cell < 0) return undefined
  const controls = elementsIn(cells[cell], kind.control).toReversed()
  return { row, cell, control: controls.findIndex((one) => one === control) }
}

function controlAt(list: Element, { row, cell, control }: Position, kind: Kind): HTMLElement | undefined {
  const rows = elementsIn(list, kind.row)
  const next = Math.min(row, rows.length - 1)
  for (const one of [...rows.slice(next), ...rows.slice(0, next).toReversed()]) {
    const controls = elementsIn(cellsOf(one)[cell], kind.control)
    const found = controls.at(-1 - control) ?? controls[0] ?? elementsIn(one, kind.control)[0]
    if (found) return found
  }
  return undefined
}

function cellsOf(row: HTMLElement | undefined): HTMLElement[] {
  if (row instanceof HTMLTableRowElement) return [...row.cells]
  return row ? [row] : []
}

function elementsIn(element: Element | undefined, selector: string): HTMLElement[] {
  return element ? [...element.querySelectorAll<HTMLElement>(selector)] : []
}
