import { changed, type ListPosition, type Opened } from './list-position.ts'

type ListSearch = ListPosition & { open?: Opened | undefined; search?: string | undefined }

interface Navigation<Search> {
  search: (before: Search) => Search
  replace: boolean
  resetScroll: false
}

/** How a list changes what its address says of it: filter, order, position and what lies open over it. */
export function searchInAddress<Search extends ListSearch>(
  search: Search,
  navigate: (navigation: Navigation<Search>) => void,
) {
  return (changes: Partial<Search>) =>
    navigate({
      search: (before) => changed(before, search, changes),
      // Neither a dialog that was closed nor each pause in the typing of one search is a place to come back to.
      replace: 'open' in changes || (changes.search !== undefined && search.search !== undefined),
      resetScroll: false,
    })
}
