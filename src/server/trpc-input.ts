import { TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { z } from 'zod'

const UNDEFINED = z.tuple([z.literal('undefined')])

/** Objects that occur twice are sent twice, so that nothing is lost without the note of it. */
const Sent = z.object({
  /** Absent where nothing is sent. */
  json: z.custom<Parameters<typeof superjson.deserialize>[0]['json']>().optional(),
  meta: z.object({ values: z.union([UNDEFINED, z.record(z.string(), UNDEFINED)]).optional() }).optional(),
})

/**
 * What calls take is JSON, in which a value may be undefined. Superjson could make other things of it, such as a typed
 * array of any length that the sender names, which takes all memory before a schema looks at it.
 */
export const trpcInput = {
  serialize: superjson.serialize.bind(superjson),
  /** @throws a BAD_REQUEST where it is anything else */
  deserialize: (sent: unknown): unknown => {
    const { success, data } = Sent.safeParse(sent)
    if (!success) throw new TRPCError({ code: 'BAD_REQUEST' })
    const { json, meta: { values } = {} } = data
    return values === undefined ? json : superjson.deserialize({ json, meta: { values } })
  },
}
