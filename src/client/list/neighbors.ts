import { useWindowEvent } from '@mantine/hooks'
import { areShortcutsOn, plainKey } from '#client/browser/plain-key.ts'
import { positionAt, positionOf, type ListSearch } from './list-position.ts'
import type { OpenedFrom, Records } from './opened-from.ts'

interface Neighbors<Search> {
  id: number
  /** Undefined if the record was opened from elsewhere. */
  from: OpenedFrom<Search> | undefined
  /** Reads another page of the list. */
  read: (search: Search) => Promise<Records>
  go: (id: number, from: OpenedFrom<Search>) => void
}

/** The records before and after one in the list from which it was opened, also by the keys `k` and `j`. */
export function useNeighbors<Search extends ListSearch>({ id, from, read, go }: Neighbors<Search>) {
  const steps = from && stepsFrom({ id, from, read, go })
  useWindowEvent('keydown', (event) => {
    const key = plainKey(event)
    if (!areShortcutsOn() || (key !== 'j' && key !== 'k')) return
    if (key === 'j') steps?.onNext?.()
    else steps?.onPrevious?.()
  })
  return steps
}

type Opened<Search> = Neighbors<Search> & { from: OpenedFrom<Search> }

function stepsFrom<Search extends ListSearch>({ id, from, read, go }: Opened<Search>) {
  const { search, ids, total, first, last } = from
  const { size = 10 } = search
  const { page } = positionOf(search)
  const index = ids.indexOf(id)
  const number = (page - 1) * size + index + 1
  const turn = async (to: number) => {
    const next = { ...search, ...positionAt(to, { page, first, last }, size) }
    const list = await read(next)
    const found = list.rows.at(to > page ? 0 : -1)
    if (found) go(found.id, { search: next, ids: list.rows.map((row) => row.id), ...cursorsOf(list) })
  }
  const step = (by: 1 | -1) => {
    const neighbor = ids[index + by]
    if (neighbor !== undefined) return () => go(neighbor, from)
    const isEnd = by > 0 ? number >= total : page === 1
    // A list that cannot be read is left alone: the record on screen is no part of it.
    return isEnd ? undefined : () => void turn(page + by).catch(() => {})
  }
  return { number, total, onPrevious: step(-1), onNext: step(1) }
}

function cursorsOf({ total, first, last }: Records) {
  return { total, first, last }
}
