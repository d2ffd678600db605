import { useEffect, useState, type ReactNode } from 'react'
import { SCREEN_REFUSALS } from '#shared/refusals/screen.ts'
import { failureOf, trpc, type Outputs } from '#client/api/trpc.ts'
import { LoadFailure } from '#client/ui/cards/load-failure.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { startClerk } from './clerk-script.ts'
import { useKnownPerson, useSession } from './session-context.tsx'
import type { Session } from './session.ts'

/** Clerk is started this long after hydration, well before the token expires. Also the interval of retries. */
const START_CLERK_MS = 10_000

const REPORTED = 'traxx.time-zone-told'

/** Starts Clerk with the server's settings, and lets the session follow who is signed in. */
export function IdentityProvider({ children }: { children: ReactNode }) {
  const session = useSession()
  const { data: config, error, refetch, isFetching } = trpc.identity.config.useQuery(undefined, { staleTime: Infinity })
  const failed = useClerkStart(session, config)
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

/** Starts Clerk when it is needed. @returns whether that failed on a page that cannot do without it */
function useClerkStart(session: Session, config: Outputs['identity']['config'] | undefined): boolean {
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!config) return undefined
    const unmounted = new AbortController()
    const { signal } = unmounted
    const timer = setInterval(session.requestClerk, START_CLERK_MS)
    addEventListener('online', session.requestClerk, { signal })
    signal.addEventListener('abort', () => clearInterval(timer))
    const follow = async () => {
      const clerk = await startClerk(config)
      clearInterval(timer)
      if (!signal.aborted) signal.addEventListener('abort', session.followClerk(clerk))
    }
    session.onClerkRequested(() => void follow().catch(session.visitor() ? session.clerkFailed : () => setFailed(true)))
    return () => unmounted.abort()
  }, [session, config])
  return failed
}

/** Reports the browser's time zone once per sign-in: an account without one adopts it. */
function useBrowserTimeZone(): void {
  const id = useKnownPerson()?.id
  const { mutate } = trpc.identity.adoptTimeZone.useMutation()
  useEffect(() => {
    if (!id || sessionStorage.getItem(REPORTED) === id) return
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    mutate({ timeZone }, { onSuccess: () => sessionStorage.setItem(REPORTED, id) })
  }, [id, mutate])
}
