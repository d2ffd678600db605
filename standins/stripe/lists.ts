import { z } from 'zod'
import type { ObjectName, Objects } from './object-types.ts'
import { unknownReference } from './problem.ts'
import { wholeNumber } from './params.ts'
import { find, listObjects, type Filter } from './store.ts'
import type { Transaction } from './transaction.ts'

export const Page = z.strictObject({
  limit: wholeNumber.refine((limit) => limit >= 1 && limit <= 100, 'must be from 1 to 100').default(10),
  starting_after: z.string().min(1).optional(),
  ending_before: z.string().min(1).optional(),
})

export interface Listed {
  url: string
  page: z.output<typeof Page>
  filters: Filter[]
}

export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

/** One page of objects of a kind, as Stripe answers a list: newest first. */
export async function listPage<Name extends ObjectName>(
  tx: Transaction,
  object: Name,
  { url, page, filters }: Listed,
): Promise<List<Objects[Name]>> {
  const { limit, starting_after: after, ending_before: before } = page
  await refuseUnknownCursor(tx, object, page)
  const found = await listObjects(tx, object, { filters, slice: { after, before, limit: limit + 1 } })
  const data = before === undefined ? found.slice(0, limit) : found.slice(-limit)
  return { object: 'list', data, has_more: found.length > limit, url }
}

async function refuseUnknownCursor(tx: Transaction, object: ObjectName, page: Listed['page']): Promise<void> {
  for (const param of ['starting_after', 'ending_before'] as const) {
    const id = page[param]
    if (id !== undefined && !(await find(tx, object, id))) throw unknownReference(object, id, param)
  }
}

/** The filter of a parameter that may have been left out. */
export function whereIs(path: string[], value: string | undefined): Filter[] {
  return value === undefined ? [] : [{ path, oneOf: [value] }]
}
