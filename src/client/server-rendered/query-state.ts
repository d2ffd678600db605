import { dehydrate, hydrate, type DehydratedState, type QueryClient } from '@tanstack/react-query'
import superjson from 'superjson'
import { serializeAnswer } from '#shared/serialize-answer.ts'
import { pageAge } from '#client/browser/page-age.ts'

const FRESH_MS = 30_000

/** Waits for the queries that loaders have started, and serializes their results. */
export async function dehydrateQueries(queryClient: QueryClient): Promise<string> {
  const queries = queryClient.getQueryCache().getAll()
  await Promise.allSettled(queries.map(async ({ promise }) => promise))
  return JSON.stringify(serializeAnswer(dehydrate(queryClient)))
}

/**
 * Marks the results as fetched now, by the browser's clock, so that none is fetched twice. A tab that was opened in the
 * background and shown later refetches them.
 */
export function restoreQueries(queryClient: QueryClient, queries: string): void {
  const state = superjson.parse<DehydratedState>(queries)
  for (const query of state.queries) query.state.dataUpdatedAt = Date.now()
  hydrate(queryClient, state)
  if (pageAge() > FRESH_MS) void queryClient.invalidateQueries({ refetchType: 'none' })
}
