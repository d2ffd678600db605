import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '#shared/schemas/filters.ts'
import { requireReader } from '#server/context.ts'
import type { PageView } from '#server/db/page.ts'

const BATCH = 1000

interface Slice {
  limit?: number | undefined
  cursor?: string | undefined
}

/**
 * Sends an array: with a limit one page, and the next one's address in `Link`; without it the whole list, read in
 * batches while it is sent. `X-Total-Count` has the number of all rows.
 * @throws TOO_MANY_AT_ONCE if too many whole lists of the account are being sent
 */
export async function sendSlice<View>(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { limit, cursor }: Slice,
  list: (page: Page) => Promise<PageView<View>>,
) {
  if (limit === undefined) {
    const { limits, accountId } = requireReader(request.context)
    const end = await limits.begin('lists', accountId)
    const first = await list({ limit: BATCH, after: cursor, skip: 0 }).catch((error: unknown) => {
      end()
      throw error
    })
    return reply
      .type('application/json; charset=utf-8')
      .header('x-total-count', first.total)
      .send(Readable.from(everything(first, list)).once('close', end))
  }
  const page = await list({ limit, after: cursor, skip: 0 })
  linkNext({ request, reply }, page)
  return page.rows
}

/** Says in headers how many rows there are, and where the next page is. */
export function linkNext(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { total, last, more }: Pick<PageView<unknown>, 'total' | 'last' | 'more'>,
): void {
  reply.header('x-total-count', total)
  if (last && more) reply.header('link', `<${nextAddress(request, last)}>; rel="next"`)
}

async function* everything<View>(first: PageView<View>, list: (page: Page) => Promise<PageView<View>>) {
  yield '['
  let separator = ''
  for (let page = first; page.last; page = await list({ limit: BATCH, after: page.last, skip: 0 })) {
    yield separator + JSON.stringify(page.rows).slice(1, -1)
    separator = ','
  }
  yield ']'
}

function nextAddress(request: FastifyRequest, cursor: string): string {
  const [path, query] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `${path}?${parameters}`
}
