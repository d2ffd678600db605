import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { failureOf, isTransient } from './trpc.ts'

const ERROR_RETRY_MS = 5000
const FOCUS_THROTTLE_MS = 5000
const DEDUPE_MS = 2000
/** Beyond this, the user retries by hand. */
const LONGEST_WAIT_S = 60

/** Shows failures at once and retries in the background, refreshes on focus, and does not repeat recent requests. */
export function makeQueryClient(onError: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // A paused query or mutation would wait without a word; the browser's own failure is shown like any other.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: false,
        staleTime: DEDUPE_MS,
        refetchInterval: ({ state }) => state.error !== null && retryMs(state.error),
        refetchOnWindowFocus: isLongAgo,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/** When a failed query is retried; false if a retry would fail too, or is far off. */
function retryMs(error: unknown): number | false {
  const { retryAfterSeconds } = failureOf(error)
  if (retryAfterSeconds === undefined) return isTransient(error) && ERROR_RETRY_MS
  return retryAfterSeconds <= LONGEST_WAIT_S && retryAfterSeconds * 1000
}

/** Respects Retry-After when the window regains focus. */
function isLongAgo({ state }: Pick<Query, 'state'>): boolean {
  const { retryAfterSeconds = 0 } = state.error === null ? {} : failureOf(state.error)
  const pause = Math.max(FOCUS_THROTTLE_MS, retryAfterSeconds * 1000)
  return Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) >= pause
}
