import { useAuth } from '@clerk/clerk-react'
import { useEffect } from 'react'
import { trpc } from '#client/trpc.ts'

const TOLD = 'traxx.time-zone-told'

/** Tells the server where this browser is, once a session: an account that has no time zone yet takes it. */
export function useBrowserTimeZone(): void {
  const { sessionId } = useAuth()
  const { mutate } = trpc.identity.adoptTimeZone.useMutation()
  useEffect(() => {
    if (!sessionId || sessionStorage.getItem(TOLD) === sessionId) return
    sessionStorage.setItem(TOLD, sessionId)
    mutate({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })
  }, [sessionId, mutate])
}
