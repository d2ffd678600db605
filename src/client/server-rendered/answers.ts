import { dehydrate, hydrate, type DehydratedState, type QueryClient } from '@tanstack/react-query'
import superjson from 'superjson'
import { pageAge } from '#client/browser/page-age.ts'

const FRESH_MS = 30_000

/** What the server's queries have answered, once they have: loaders begin to fetch, and do not wait for it. */
export async function answersOf(queryClient: QueryClient): Promise<string> {
  const queries = queryClient.getQueryCache().getAll()
  await Promise.allSettled(queries.map(async ({ promise }) => promise))
  return superjson.stringify(dehydrate(queryClient))
}

/**
 * From here on they are fresh, whatever the clocks and the connection say: nothing is asked twice. In a tab that was
 * opened in the background, and is shown only later, they are asked for again.
 */
export function takeAnswers(queryClient: QueryClient, answers: string): void {
  const state = superjson.parse<DehydratedState>(answers)
  for (const query of state.queries) query.state.dataUpdatedAt = Date.now()
  hydrate(queryClient, state)
  if (pageAge() > FRESH_MS) void queryClient.invalidateQueries({ refetchType: 'none' })
}
