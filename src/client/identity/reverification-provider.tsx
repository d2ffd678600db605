import { useMemo, useRef, useState, type ReactNode } from 'react'
import { ReverificationContext } from '#client/api/use-reverified.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { signedInSession } from './clerk-script.ts'
import { useSession } from './session-context.tsx'

const Asking = onDemand(async () => (await import('./reverification-dialog.tsx')).ReverificationDialog)

/** Asks the person to confirm who they are when a screen inside requires it. */
export function ReverificationProvider({ children }: { children: ReactNode }) {
  const { clerkPerson } = useSession()
  const [isAsking, setAsking] = useState(false)
  const answer = useRef<(isProven: boolean) => void>(() => {})
  const reverification = useMemo(
    () => ({
      isAsking,
      ask: () => {
        answer.current(false)
        setAsking(true)
        return new Promise<boolean>((resolve) => (answer.current = resolve))
      },
    }),
    [isAsking],
  )
  const settle = (isProven: boolean) => {
    setAsking(false)
    answer.current(isProven)
  }
  const findSession = async () => {
    await clerkPerson()
    return signedInSession()
  }
  return (
    <ReverificationContext value={reverification}>
      {children}
      <Asking.Part
        wanted={isAsking}
        opened={isAsking}
        findSession={findSession}
        onProven={() => settle(true)}
        onCancel={() => settle(false)}
      />
    </ReverificationContext>
  )
}
