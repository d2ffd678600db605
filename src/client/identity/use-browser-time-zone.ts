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
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    mutate({ timeZone }, { onSuccess: () => sessionStorage.setItem(TOLD, sessionId) })
  }, [sessionId, mutate])
}
