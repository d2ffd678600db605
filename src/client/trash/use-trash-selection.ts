import { useState } from 'react'
import type { RowSelection } from '#client/ui/lists/data-table.tsx'
import type { TrashRow } from './trash-table.tsx'

const NOTHING: ReadonlySet<string> = new Set()

/** Which rows of the page are selected to be restored; another page begins with none. */
export function useTrashSelection(rows: readonly TrashRow[]) {
  const [ids, setIds] = useState(NOTHING)
  const selected = rows.filter(({ id }) => ids.has(id))
  const isPageSelected = rows.length > 0 && selected.length === rows.length
  const table: RowSelection<TrashRow> = {
    isSelected: ({ id }) => ids.has(id),
    isPageSelected,
    onSelect: ({ id }) => setIds(new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
    onSelectPage: () => setIds(isPageSelected ? NOTHING : new Set(rows.map(({ id }) => id))),
  }
  return { selected, table, clear: () => setIds(NOTHING) }
}

/** What is to be restored, as the call has it. */
export function idsOf(rows: readonly TrashRow[]) {
  const of = (kind: TrashRow['kind']) => rows.filter((row) => row.kind === kind).map(({ rowId }) => rowId)
  return { customers: of('customer'), contracts: of('contract') }
}
