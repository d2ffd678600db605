import * as z from 'zod/mini'
import { LARGEST_ID, wholeNumber } from '#shared/schemas/filters.ts'

/** What an address opens over its page: one row by its number, or the form for a new one. */
export const Opened = z.union([z.literal('new'), wholeNumber(1, LARGEST_ID)])
export type Opened = z.output<typeof Opened>

export function rowOf(opened: Opened | undefined): number | undefined {
  return opened === 'new' ? undefined : opened
}
