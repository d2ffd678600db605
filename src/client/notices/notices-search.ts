import * as z from 'zod/mini'
import { NOTICE_LISTS } from '#shared/schemas/notice-lists.ts'
import { oneOf } from '#shared/schemas/filters.ts'
import { ListPosition } from '#client/list/list-position.ts'

/** The address of the notices. */
export const NoticesSearch = z.object({
  /** `incomplete`: of which it cannot be computed when notice is due. */
  show: z._default(oneOf([...NOTICE_LISTS, 'incomplete']), 'due'),
  ...ListPosition.shape,
})
export type NoticesSearch = z.output<typeof NoticesSearch>
