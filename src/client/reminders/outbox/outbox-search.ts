import * as z from 'zod/mini'
import { oneOf, ReminderFilter } from '#shared/schemas/filters.ts'
import { ListPosition } from '#client/list/list-position.ts'

/** The address of the outbox. */
export const OutboxSearch = z.object({
  ...ReminderFilter.shape,
  tab: z._default(oneOf(['coming', 'ledger']), 'coming'),
  ...ListPosition.shape,
})
export type OutboxSearch = z.output<typeof OutboxSearch>
