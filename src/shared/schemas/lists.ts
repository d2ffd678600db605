import { z } from 'zod'
import { PAGE_SIZE, SORT_DIRECTIONS } from '#shared/domain/lists.ts'
import { oneOf, text, wholeNumber } from './fields.ts'

/**
 * A place in a sorted list: the sort value and id of a row. Opaque to callers; the list that made it reads it back.
 */
export const Cursor = z.string('Must be text').max(2000, 'Must be at most 2000 characters')

export const SortDirection = oneOf(SORT_DIRECTIONS)
export type SortDirection = z.output<typeof SortDirection>

/** Which slice of a list: after or before a row, and a few rows further where a page number was chosen. */
export const Page = z.object({
  limit: wholeNumber(1, 100).default(PAGE_SIZE),
  after: Cursor.optional(),
  before: Cursor.optional(),
  skip: wholeNumber(0, 500).default(0),
})
export type Page = z.output<typeof Page>

/** The same for callers of the REST shim, who get everything where they name no limit. */
export const Slice = z.object({
  limit: wholeNumber(1, 1000).optional(),
  cursor: Cursor.optional(),
})

export const SearchText = text(200).optional()
