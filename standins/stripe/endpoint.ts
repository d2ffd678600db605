import type { z } from 'zod'
import { parse } from './params.ts'
import type { Transaction } from './transaction.ts'

/** What one call of the API does: from its form (or query) and the id in its path to the object it answers. */
export type Endpoint = (tx: Transaction, form: unknown, id: string) => Promise<object>

export function endpoint<Schema extends z.ZodType>(
  schema: Schema,
  work: (tx: Transaction, input: z.output<Schema>, id: string) => Promise<object>,
): Endpoint {
  return (tx, form, id) => work(tx, parse(schema, form), id)
}
