import * as z from 'zod/mini'
import { ListPosition, PageSize } from '#client/list/list-position.ts'

/** The address of the trash. */
export const TrashSearch = z.object({ size: PageSize, ...ListPosition.shape })
export type TrashSearch = z.output<typeof TrashSearch>
