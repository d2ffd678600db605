import { useEffect, useSyncExternalStore } from 'react'
import type { Named } from '#shared/visitor.ts'
import type { Session } from './session.ts'

/** Who is signed in, as the identity provider knows them now, whose word is asked for. */
export function usePerson(session: Session) {
  useEffect(() => session.need(), [session])
  return useHeard(session)
}

/** The same, without asking for it. */
export function useHeard(session: Session) {
  return useSyncExternalStore(session.subscribe, session.latest, notYet).person
}

/** What the signed-in person is called: as the page was rendered, until the identity provider has answered. */
export function useNamed(session: Session): Named | undefined {
  const person = useHeard(session)
  if (!person) return person === null ? undefined : session.known()
  return { name: person.fullName ?? '', email: person.primaryEmailAddress?.emailAddress ?? '' }
}

const NOT_YET = { person: undefined }

/** What the server shows, and the browser while it takes that over: the identity provider has not answered yet. */
function notYet(): typeof NOT_YET {
  return NOT_YET
}
