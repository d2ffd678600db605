import { useQueryClient } from '@tanstack/react-query'
import { ErrorState } from '#client/ui/error-state.tsx'
import { failureText, type FailureTexts } from './failure-text.ts'

interface QueryErrorProps extends FailureTexts {
  query: { error: unknown; isLoadingError: boolean; isFetching: boolean }
}

/**
 * Why a query failed, with Retry, which asks again for all of the screen that has failed. Covers the bottom of the window if
 * earlier data is on screen.
 */
export function QueryError({ query, ...texts }: QueryErrorProps) {
  const client = useQueryClient()
  if (!query.error) return null
  const retry = () => client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  return (
    <ErrorState
      over={!query.isLoadingError}
      message={failureText(query.error, texts)}
      retrying={query.isFetching}
      onRetry={() => void retry()}
    />
  )
}
