import { hashKey } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { PAGE_SIZE, FURTHEST_SKIP, LARGEST_ID, Page, wholeNumber } from '#shared/schemas/filters.ts'

/** What an address opens: the page of one row by its number, or the form for a new one over its list. */
export const Opened = z.union([z.literal('new'), wholeNumber(1, LARGEST_ID)])
export type Opened = z.output<typeof Opened>

/** A position in a list as the address has it: the page's number, and the row that it comes after or before. */
export const ListPosition = z.object({
  page: z._default(wholeNumber(1, 1_000_000), 1),
  after: Page.shape.after,
  before: Page.shape.before,
  skip: Page.shape.skip,
})
export type ListPosition = z.output<typeof ListPosition>

export const PAGE_SIZES = [PAGE_SIZE, 25, 50, 100] as const

/** How many rows a page has, as the address says it. */
export const PageSize = z._default(z.pipe(z.coerce.number(), z.literal(PAGE_SIZES)), PAGE_SIZE)
export type PageSize = z.output<typeof PageSize>

/** What the address of a list says: a list without a choice of sizes has pages of 10. */
interface Listed extends ListPosition {
  size?: PageSize | undefined
}
export interface ListSearch extends Listed {
  columns?: string | undefined
  open?: Opened | undefined
}

/** The first page. Its keys are all there, so that it replaces any other position. */
export const START = { page: 1, after: undefined, before: undefined, skip: 0 } satisfies ListPosition

/** One page of a list, as the server returns it. */
export interface ListPage {
  total: number
  rows: readonly unknown[]
  first: string | null
  last: string | null
}

/** The effective position: a number without a row is enough for the first pages. */
export function positionOf({ page, after, before, skip, size = PAGE_SIZE }: Listed): ListPosition {
  if (page === 1) return { page, skip: 0 }
  if (after !== undefined) return { page, after, skip }
  if (before !== undefined) return { page, before, skip }
  return isNearStart(page, size) ? { page, skip: (page - 1) * size } : { page: 1, skip: 0 }
}

/** The filter and order, without position, page size, columns or open dialog. */
export function filterOf<Search extends ListSearch>(search: Search) {
  const { page: _page, after: _after, before: _before, skip: _skip, size: _size, ...others } = search
  const { columns: _columns, open: _open, ...filter } = others
  return filter
}

/**
 * The search parameters with `changes`. Cursors belong to the list on screen; if another is loading, keep only the page
 * number.
 */
export function changedSearch<Search extends ListSearch>(
  before: Search,
  shown: Search,
  changes: Partial<Search>,
): Search {
  const isOtherList = 'after' in changes && hashKey([filterOf(before)]) !== hashKey([filterOf(shown)])
  return { ...before, ...changes, ...(isOtherList && { after: undefined, before: undefined, skip: 0 }) }
}

/** The input of the call that fetches a position in a filtered list. */
export function listInput<Search extends ListSearch>(search: Search) {
  const { page: _number, ...position } = positionOf(search)
  return { ...filterOf(search), ...position, limit: search.size }
}

/** How to get from the page shown to another: by its first or last row, or by the page number if it has no rows. */
export function positionAt(
  page: number,
  shown: { page: number; first: string | null; last: string | null },
  size: number = PAGE_SIZE,
): ListPosition {
  const skip = (Math.abs(page - shown.page) - 1) * size
  if (page > shown.page && shown.last) return { ...START, page, after: shown.last, skip }
  if (page > 1 && page < shown.page && shown.first) return { ...START, page, before: shown.first, skip }
  return { ...START, page }
}

/** What the pager shows, and where it leads. */
export function pagerOf(list: ListPage, position: Listed, onPosition: (position: ListPosition) => void) {
  const { size = PAGE_SIZE } = position
  const { page } = positionOf(position)
  const { total, rows, first, last } = list
  const count = Math.ceil(total / size)
  const before = (page - 1) * size
  const goTo = (target: number) => {
    const isReachable = target >= 1 && target <= count && (first !== null || isNearStart(target, size))
    return isReachable ? () => onPosition(positionAt(target, { page, first, last }, size)) : undefined
  }
  return {
    range: { from: before + 1, to: before + rows.length, total },
    onPrevious: goTo(page - 1),
    onNext: goTo(page + 1),
    pages: { current: page, count, onPage: (target: number) => goTo(target)?.() },
  }
}

function isNearStart(page: number, size: number): boolean {
  return (page - 1) * size <= FURTHEST_SKIP
}
