import * as z from 'zod/mini'
import { ANSWER_LISTS } from '#shared/schemas/answer-lists.ts'
import { oneOf } from '#shared/schemas/filters.ts'
import { ListPosition } from '#client/list/list-position.ts'

/** The address of the answers page. */
export const AnswersSearch = z.object({
  show: z._default(oneOf(ANSWER_LISTS), 'waiting'),
  ...ListPosition.shape,
})
export type AnswersSearch = z.output<typeof AnswersSearch>
