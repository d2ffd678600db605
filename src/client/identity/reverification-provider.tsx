import { useMemo, useRef, useState, type ReactNode } from 'react'
import { ReverificationContext } from '#client/api/use-reverified.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { signedInSession } from './clerk-script.ts'
import type { Session } from './session.ts'

const Asking = onDemand(async () => (await import('./reverification-dialog.tsx')).ReverificationDialog)

interface ReverificationProviderProps {
  session: Pick<Session, 'heard'>
  children: ReactNode
}

/** Goes around screens on which something takes a recent sign-in, and asks for one when it is needed. */
export function ReverificationProvider({ session, children }: ReverificationProviderProps) {
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
    await session.heard()
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
