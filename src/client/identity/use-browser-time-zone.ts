import { useEffect } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { useKnownPerson } from './session-context.tsx'

const TOLD = 'traxx.time-zone-told'

/** Reports the browser's time zone once per sign-in: an account without one adopts it. */
export function useBrowserTimeZone(): void {
  const id = useKnownPerson()?.id
  const { mutate } = trpc.identity.adoptTimeZone.useMutation()
  useEffect(() => {
    if (!id || sessionStorage.getItem(TOLD) === id) return
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    mutate({ timeZone }, { onSuccess: () => sessionStorage.setItem(TOLD, id) })
  }, [id, mutate])
}
