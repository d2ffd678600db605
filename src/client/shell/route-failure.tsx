import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useState } from 'react'
import { failureOf } from '#client/api/trpc.ts'
import { isReachable, ScreenUnreachable } from './screen-loading.ts'
import { ErrorState } from '#client/ui/error-state.tsx'

const NO_CONNECTION = 'There is no connection. Check your internet connection, then try again'

/** Shown instead of a screen that failed to load. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  const [isRetrying, setRetrying] = useState(false)
  const isMissing = error instanceof ScreenUnreachable
  const { message, isNetwork } = failureOf(error)
  const retry = async () => {
    setRetrying(true)
    // A browser may not fetch a file of scripts a second time on the same page.
    if (!isMissing) await router.invalidate()
    else if (await isReachable()) return location.reload()
    setRetrying(false)
  }
  return (
    <ErrorState
      message={isMissing || isNetwork ? NO_CONNECTION : message}
      label="Try Again"
      retrying={isRetrying}
      onRetry={() => void retry()}
    />
  )
}
