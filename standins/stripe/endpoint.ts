import type { z } from 'zod'
import { parse } from './params.ts'
import type { Turn } from './turn.ts'

/** What one call of the API does: from its form (or query) and the id in its path to the object it answers. */
export type Endpoint = (turn: Turn, form: unknown, id: string) => Promise<object>

export function endpoint<Schema extends z.ZodType>(
  schema: Schema,
  work: (turn: Turn, input: z.output<Schema>, id: string) => Promise<object>,
): Endpoint {
  return (turn, form, id) => work(turn, parse(schema, form), id)
}
