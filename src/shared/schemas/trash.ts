import * as z from 'zod/mini'
import { Id } from './fields.ts'
import { Page, Slice } from './filters.ts'

/** The most customers, and the most contracts, that one call restores. */
export const MOST_RESTORED = 500

const ids = z._default(
  z.array(Id, 'Must be a list of ids').check(z.maxLength(MOST_RESTORED, `Restore at most ${MOST_RESTORED} at once`)),
  [],
)

export const ListTrash = Page
export type ListTrash = z.output<typeof ListTrash>

export const SliceTrash = Slice

export const RestoreFromTrash = z
  .object({ customers: ids, contracts: ids })
  .check(
    z.refine(({ customers, contracts }) => customers.length + contracts.length > 0, 'Select at least one to restore'),
  )
export type RestoreFromTrash = z.output<typeof RestoreFromTrash>
