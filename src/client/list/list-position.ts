import { hashKey } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { PAGE_SIZE, FURTHEST_SKIP, LARGEST_ID, Page, wholeNumber } from '#shared/schemas/filters.ts'

/** What an address opens over its page: one row by its number, or the form for a new one. */
export const Opened = z.union([z.literal('new'), wholeNumber(1, LARGEST_ID)])
export type Opened = z.output<typeof Opened>

export function rowOf(opened: Opened | undefined): number | undefined {
  return opened === 'new' ? undefined : opened
}

/** A position in a list as the address has it: the page's number, and the row that it comes after or before. */
export const ListPosition = z.object({
  page: z._default(wholeNumber(1, 1_000_000), 1),
  after: Page.shape.after,
  before: Page.shape.before,
  skip: Page.shape.skip,
})
export type ListPosition = z.output<typeof ListPosition>

/** The first page. Its keys are all there, so that it replaces any other position. */
export const START = { page: 1, after: undefined, before: undefined, skip: 0 } satisfies ListPosition

/** One page of a list, as the server answers it. */
export interface ListPage {
  total: number
  rows: readonly unknown[]
  first: string | null
  last: string | null
}

/** The position that is meant: a number without a row is enough for the pages near the start. */
export function positionOf({ page, after, before, skip }: ListPosition): ListPosition {
  if (page === 1) return { page, skip: 0 }
  if (after !== undefined) return { page, after, skip }
  if (before !== undefined) return { page, before, skip }
  return isNearStart(page) ? { page, skip: (page - 1) * PAGE_SIZE } : { page: 1, skip: 0 }
}

/** The filter and order, without position or open dialog. */
export function filterOf<Search extends ListPosition & { open?: Opened | undefined }>(search: Search) {
  const { page: _page, after: _after, before: _before, skip: _skip, open: _open, ...filter } = search
  return filter
}

/**
 * The search parameters with `changes`. Cursors belong to the list on screen; if another is loading, keep only the page
 * number.
 */
export function changed<Search extends ListPosition & { open?: Opened | undefined }>(
  before: Search,
  shown: Search,
  changes: Partial<Search>,
): Search {
  const isOfAnother = 'after' in changes && hashKey([filterOf(before)]) !== hashKey([filterOf(shown)])
  return { ...before, ...changes, ...(isOfAnother && { after: undefined, before: undefined, skip: 0 }) }
}

/** What the server is asked for a position in a filtered list. */
export function listInput<Search extends ListPosition & { open?: Opened | undefined }>(search: Search) {
  const { page: _number, ...position } = positionOf(search)
  return { ...filterOf(search), ...position }
}

/** How to get from the page shown to another: by its first or last row, or by the page number if it has no rows. */
export function positionAt(
  page: number,
  shown: { page: number; first: string | null; last: string | null },
): ListPosition {
  const skip = (Math.abs(page - shown.page) - 1) * PAGE_SIZE
  if (page > shown.page && shown.last) return { ...START, page, after: shown.last, skip }
  if (page > 1 && page < shown.page && shown.first) return { ...START, page, before: shown.first, skip }
  return { ...START, page }
}

/** What the pager shows, and where it leads. */
export function pagerOf(list: ListPage, position: ListPosition, onPosition: (position: ListPosition) => void) {
  const { page } = positionOf(position)
  const { total, rows, first, last } = list
  const count = Math.ceil(total / PAGE_SIZE)
  const before = (page - 1) * PAGE_SIZE
  const wayTo = (target: number) => {
    const isThere = target >= 1 && target <= count && (first !== null || isNearStart(target))
    return isThere ? () => onPosition(positionAt(target, { page, first, last })) : undefined
  }
  return {
    range: { from: before + 1, to: before + rows.length, total },
    onPrevious: wayTo(page - 1),
    onNext: wayTo(page + 1),
    pages: { current: page, count, onPage: (target: number) => wayTo(target)?.() },
  }
}

function isNearStart(page: number): boolean {
  return (page - 1) * PAGE_SIZE <= FURTHEST_SKIP
}
