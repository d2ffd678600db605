import { useEffect, useEffectEvent } from 'react'
import { pagerOf, START, type ListPage, type ListPosition, type ListSearch } from './list-position.ts'

interface ListQuery {
  data: ListPage | undefined
  isPlaceholderData: boolean
}

/** The pager of a list. Goes to the page before if the page has lost all its rows. */
export function useListPager(list: ListQuery, position: ListSearch, onPosition: (position: ListPosition) => void) {
  const { data, isPlaceholderData } = list
  const isBeyondEnd = data !== undefined && !isPlaceholderData && data.rows.length === 0 && data.total > 0
  // Placeholder rows give no cursors.
  const page = isPlaceholderData && data ? { ...data, first: null, last: null } : data
  const pager = page && pagerOf(page, position, onPosition)
  const goBack = useEffectEvent(() => (pager?.onPrevious ? pager.onPrevious() : onPosition(START)))
  useEffect(() => {
    if (isBeyondEnd) goBack()
  }, [isBeyondEnd])
  return pager
}
