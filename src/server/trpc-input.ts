import { TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { z } from 'zod'

const UNDEFINED = z.tuple([z.literal('undefined')])

/** Objects that occur twice are sent twice, so that nothing is lost without the note of it. */
const Sent = z.object({
  /** Absent where nothing is sent. */
  json: z.unknown().optional(),
  meta: z.object({ values: z.union([UNDEFINED, z.record(z.string(), UNDEFINED)]).optional() }).optional(),
})

/**
 * What calls take is JSON, in which a value may be undefined. Superjson could make other things of it, such as a typed
 * array or a list of any length that the sender names, which takes all memory before a schema looks at it.
 */
export const trpcInput = {
  serialize: superjson.serialize.bind(superjson),
  /** @throws a BAD_REQUEST where it is anything else */
  deserialize: (sent: unknown): unknown => {
    const { success, data } = Sent.safeParse(sent)
    if (!success) throw refusal()
    const { json, meta: { values } = {} } = data
    if (Array.isArray(values)) return undefined
    for (const path of Object.keys(values ?? {})) makeUndefined(json, path.split('.'))
    return json
  },
}

/** Where a value is undefined, the JSON has null. A place that it does not have is refused: a list would grow up to it. */
function makeUndefined(json: unknown, path: string[]): void {
  const last = path.pop() ?? ''
  let parent = json
  for (const key of path) parent = within(parent, key)
  if (within(parent, last) !== null) throw refusal()
  Reflect.set(Object(parent), last, undefined)
}

function within(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) throw refusal()
  return Reflect.get(parent, key)
}

function refusal(): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST' })
}
