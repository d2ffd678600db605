import { ErrorState } from '#client/ui/error-state.tsx'
import { failureText, type FailureTexts } from './failure-text.ts'

interface QueryErrorProps extends FailureTexts {
  query: { error: unknown; isLoadingError: boolean; isFetching: boolean; refetch: () => Promise<unknown> }
}

/** Why a query failed, with Retry. Covers the bottom of the window if earlier data is on screen. */
export function QueryError({ query, ...texts }: QueryErrorProps) {
  if (!query.error) return null
  return (
    <ErrorState
      over={!query.isLoadingError}
      message={failureText(query.error, texts)}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
}
