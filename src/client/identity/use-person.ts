import { useEffect, useSyncExternalStore } from 'react'
import type { PersonName } from '#shared/visitor.ts'
import type { Session } from './session.ts'

/** Who is signed in. Asks Clerk. */
export function usePerson(session: Session) {
  useEffect(() => session.need(), [session])
  return useKnownPerson(session)
}

/** The same, without asking Clerk. */
export function useKnownPerson(session: Session) {
  return useSyncExternalStore(session.subscribe, session.latest, notYet).person
}

/** The signed-in person's name: from the rendered page until Clerk has responded. */
export function usePersonName(session: Session): PersonName | undefined {
  const person = useKnownPerson(session)
  if (!person) return person === null ? undefined : session.known()
  return { name: person.fullName ?? '', email: person.primaryEmailAddress?.emailAddress ?? '' }
}

const NOT_YET = { person: undefined }

/** On the server and during hydration: Clerk has not responded yet. */
function notYet(): typeof NOT_YET {
  return NOT_YET
}
