import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { isTransient } from './trpc.ts'

const ERROR_RETRY_MS = 5000
const FOCUS_THROTTLE_MS = 5000
const DEDUPE_MS = 2000

/**
 * How the app fetches: a failure is shown at once and asked again in the background, a screen that comes back into
 * view is refreshed, and what has just been asked is not asked again.
 */
export function makeQueryClient(onError: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: DEDUPE_MS,
        refetchInterval: ({ state }) => state.error !== null && isTransient(state.error) && ERROR_RETRY_MS,
        refetchOnWindowFocus: isLongAgo,
      },
      mutations: { retry: false },
    },
  })
}

function isLongAgo({ state }: Pick<Query, 'state'>): boolean {
  return Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) >= FOCUS_THROTTLE_MS
}
