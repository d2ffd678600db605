import type { ListPage } from './list-position.ts'

/** The page of a list from which a record was opened. The history keeps it, so that it survives a reload. */
export interface OpenedFrom<Search = unknown> {
  search: Search
  ids: number[]
  total: number
  first: string | null
  last: string | null
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    openedFrom?: OpenedFrom
  }
}

export type Records = Omit<ListPage, 'rows'> & { rows: { id: number }[] }

/** Undefined for a record that is not on the page, such as one that was just added. */
export function openedFrom<Search>(id: number, search: Search, list: Records | undefined) {
  const ids = list?.rows.map((row) => row.id) ?? []
  if (!list || !ids.includes(id)) return {}
  const { total, first, last } = list
  return { openedFrom: { search, ids, total, first, last } satisfies OpenedFrom<Search> }
}
