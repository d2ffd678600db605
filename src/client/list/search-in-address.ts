import { changedSearch, type ListSearch as Listed } from './list-position.ts'

type ListSearch = Listed & { search?: string | undefined }

interface Navigation<Search> {
  search: (before: Search) => Search
  replace: boolean
  resetScroll: false
}

/** Changes the filter, order, position and open dialog of a list in its address. */
export function searchInAddress<Search extends ListSearch>(
  search: Search,
  navigate: (navigation: Navigation<Search>) => void,
) {
  return (changes: Partial<Search>) =>
    navigate({
      search: (before) => changedSearch(before, search, changes),
      // Back should lead neither to a closed dialog nor to every pause while typing one search.
      replace: 'open' in changes || (changes.search !== undefined && search.search !== undefined),
      resetScroll: false,
    })
}
