import { hashKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowSelection } from '#client/ui/lists/data-table.tsx'

/** The selected rows of a list: some by their ids, or all that its filter has. */
export interface Selection {
  ids: ReadonlySet<number>
  isAll: boolean
}

const NOTHING: Selection = { ids: new Set(), isAll: false }

/** Remembers which rows are selected, also on other pages of the same list. Another filter selects nothing. */
export function useSelection<Row extends { id: number }>(filter: object, rows: readonly Row[]) {
  const list = hashKey([filter])
  const [stored, store] = useState({ list, selection: NOTHING, latest: 0 })
  const selection = stored.list === list ? stored.selection : NOTHING
  const set = (ids: Iterable<number>, latest = 0) =>
    store({ list, selection: { ids: new Set(ids), isAll: false }, latest })
  const onPage = rows.map(({ id }) => id)
  const isSelected = ({ id }: Row) => selection.isAll || selection.ids.has(id)
  const selected = selection.isAll ? onPage : [...selection.ids]
  const table: RowSelection<Row> = {
    isSelected,
    isPageSelected: rows.length > 0 && rows.every(isSelected),
    onSelect: (row, { isRange }) => {
      const changed = isRange ? between(onPage, stored.latest, row.id) : [row.id]
      set(isSelected(row) ? without(selected, changed) : [...selected, ...changed], row.id)
    },
    onSelectPage: () => set(rows.every(isSelected) ? without(selected, onPage) : [...selected, ...onPage]),
  }
  return {
    selection,
    table,
    selectAll: () => store({ list, selection: { ids: new Set(), isAll: true }, latest: 0 }),
    clear: () => set([]),
  }
}

/** The ids from one to another, whichever comes first. */
function between(ids: readonly number[], one: number, other: number): number[] {
  const [from = 0, to = 0] = [ids.indexOf(one), ids.indexOf(other)].toSorted((left, right) => left - right)
  return from < 0 ? [other] : ids.slice(from, to + 1)
}

function without(ids: readonly number[], removed: readonly number[]): number[] {
  return ids.filter((id) => !removed.includes(id))
}
