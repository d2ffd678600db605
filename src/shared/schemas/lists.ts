import { z } from 'zod'
import { PAGE_SIZE, SORT_DIRECTIONS } from '#shared/domain/lists.ts'
import { text } from './fields.ts'

/**
 * A place in a sorted list: the sort value and id of a row. Opaque to callers; the list that made it reads it back.
 */
export const Cursor = z.string().max(2000)

export const SortDirection = z.enum(SORT_DIRECTIONS)
export type SortDirection = z.output<typeof SortDirection>

/** Which slice of a list: after or before a row, and a few rows further where a page number was chosen. */
export const Page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(PAGE_SIZE),
  after: Cursor.optional(),
  before: Cursor.optional(),
  skip: z.coerce.number().int().min(0).max(500).default(0),
})
export type Page = z.output<typeof Page>

/** The same for callers of the REST shim, who get everything where they name no limit. */
export const Slice = z.object({
  limit: z.coerce.number('Must be a number').int('Must be a whole number').min(1).max(1000).optional(),
  cursor: Cursor.optional(),
})

export const SearchText = text(200).optional()
