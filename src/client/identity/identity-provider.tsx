import { useEffect, useState, type ReactNode } from 'react'
import { SCREEN_REFUSALS } from '#shared/refusals/screen.ts'
import { failureOf, trpc, type Outputs } from '#client/api/trpc.ts'
import { LoadFailure } from '#client/ui/cards/load-failure.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { startClerk } from './clerk-script.ts'
import { useSession } from './session-context.tsx'
import type { Session } from './session.ts'
import { useBrowserTimeZone } from './use-browser-time-zone.ts'

/** Starts Clerk this long after hydration, well before the token expires. Also the interval of retries. */
const UNASKED_MS = 10_000

/** Starts Clerk with the server's settings, and lets the session follow who is signed in. */
export function IdentityProvider({ children }: { children: ReactNode }) {
  const session = useSession()
  const { data: config, error, refetch, isFetching } = trpc.identity.config.useQuery(undefined, { staleTime: Infinity })
  const failed = useFollowed(session, config)
  useBrowserTimeZone()
  if (failed)
    return <LoadFailure message={SCREEN_REFUSALS.IDENTITY_UNAVAILABLE.message} onRetry={() => location.reload()} />
  if (config) return children
  if (error) return <LoadFailure message={textOf(error)} retrying={isFetching} onRetry={() => void refetch()} />
  return <LoadingScreen />
}

// The page shows nothing else that explains the failure.
function textOf(error: unknown): string {
  const { isNetwork, message } = failureOf(error)
  return isNetwork ? `${message}. Please check your connection, then try again` : message
}

/** Whether Clerk could not be started on a page that needs it. */
function useFollowed(session: Session, config: Outputs['identity']['config'] | undefined): boolean {
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!config) return undefined
    const gone = new AbortController()
    const { signal } = gone
    const unasked = setInterval(session.need, UNASKED_MS)
    addEventListener('online', session.need, { signal })
    signal.addEventListener('abort', () => clearInterval(unasked))
    const follow = async () => {
      const clerk = await startClerk(config)
      clearInterval(unasked)
      if (!signal.aborted) signal.addEventListener('abort', session.follow(clerk))
    }
    session.onNeed(() => void follow().catch(session.known() ? session.giveUp : () => setFailed(true)))
    return () => gone.abort()
  }, [session, config])
  return failed
}
