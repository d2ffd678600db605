import { useMutation } from '@tanstack/react-query'
import { createContext, use, useEffect, useSyncExternalStore, type ReactNode } from 'react'
import type { PersonName } from '#shared/visitor.ts'
import type { GetToken } from '#client/api/rest-request.ts'
import { failureOf } from '#client/api/trpc.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import type { Session } from './session.ts'

interface SessionValue {
  session: Session
  signOut: () => void
  isSigningOut: boolean
}

const SessionContext = createContext<SessionValue | undefined>(undefined)

/** Gives every component the session, and one sign-out that all of them share. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => session.leave('/'),
    onError: (error) => toastFailure(failureOf(error).message),
    networkMode: 'always',
  })
  return (
    <SessionContext value={{ session, signOut: () => mutate(), isSigningOut: isPending || isSuccess }}>
      {children}
    </SessionContext>
  )
}

function useValue(): SessionValue {
  const value = use(SessionContext)
  if (!value) throw new Error('There is no SessionProvider around this component')
  return value
}

export function useSession(): Session {
  return useValue().session
}

export function useSignOut(): Omit<SessionValue, 'session'> {
  return useValue()
}

/** For calls outside tRPC. */
export function useGetToken(): GetToken {
  return useSession().getToken
}

/** Who is signed in. Asks Clerk. */
export function usePerson() {
  const { requestClerk } = useSession()
  useEffect(() => requestClerk(), [requestClerk])
  return useKnownPerson()
}

/** The same, without asking Clerk. */
export function useKnownPerson() {
  const { subscribe, latest } = useSession()
  return useSyncExternalStore(subscribe, latest, notYet).person
}

/** Clerk's record of the signed-in person, on screens whose route waits for it. */
export function useUser() {
  const person = useKnownPerson()
  if (!person) throw new Error('The route of this screen does not wait for Clerk')
  return person
}

/** The signed-in person's name: from the rendered page until Clerk has responded. */
export function usePersonName(): PersonName | undefined {
  const { visitor } = useSession()
  const person = useKnownPerson()
  if (!person) return person === null ? undefined : visitor()
  return { name: person.fullName ?? '', email: person.primaryEmailAddress?.emailAddress ?? '' }
}

const NOT_YET = { person: undefined }

/** On the server and during hydration: Clerk has not responded yet. */
function notYet(): typeof NOT_YET {
  return NOT_YET
}
