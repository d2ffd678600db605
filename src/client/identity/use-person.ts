import { useSyncExternalStore } from 'react'
import type { Session } from './session.ts'

/** Who is signed in, as the identity provider knows them now. */
export function usePerson(session: Session) {
  return useSyncExternalStore(session.subscribe, session.latest, notYet).person
}

const NOT_YET = { person: undefined }

/** What the server shows, and the browser while it takes that over: the identity provider has not answered yet. */
function notYet(): typeof NOT_YET {
  return NOT_YET
}
