import { useEffect } from 'react'
import { trpc } from '#client/api/trpc.ts'
import type { Session } from './session.ts'
import { useKnownPerson } from './use-person.ts'

const TOLD = 'traxx.time-zone-told'

/** Reports the browser's time zone once per sign-in: an account without one adopts it. */
export function useBrowserTimeZone(session: Session): void {
  const id = useKnownPerson(session)?.id
  const { mutate } = trpc.identity.adoptTimeZone.useMutation()
  useEffect(() => {
    if (!id || sessionStorage.getItem(TOLD) === id) return
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    mutate({ timeZone }, { onSuccess: () => sessionStorage.setItem(TOLD, id) })
  }, [id, mutate])
}
