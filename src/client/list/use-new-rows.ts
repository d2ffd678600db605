import { hashKey } from '@tanstack/react-query'
import { useState } from 'react'
import { listInput, type ListSearch } from './list-position.ts'

/** The ids of what was added while a page of a list was shown; another page, order or filter forgets them. */
export function useNewRows(search: ListSearch) {
  const page = hashKey([listInput(search)])
  const [added, setAdded] = useState<{ page: string; ids: number[] }>({ page, ids: [] })
  const ids = added.page === page ? added.ids : []
  return { ids, onAdded: (id: number) => setAdded({ page, ids: [id, ...ids] }) }
}

/** The page's rows, below those that were added, wherever the list has them. */
export function withNewRows<Row extends { id: number }>(
  rows: Row[] | undefined,
  added: readonly { data: Row | undefined; isError: boolean }[],
): Row[] | undefined {
  if (!rows) return undefined
  const first = added.flatMap(({ data, isError }) =>
    data && !isError ? [rows.find(({ id }) => id === data.id) ?? data] : [],
  )
  return [...first, ...rows.filter((row) => !first.includes(row))]
}
