import { useSyncExternalStore } from 'react'
import type { Session } from './session.ts'

/** Who is signed in, as the identity provider knows them now. */
export function usePerson(session: Session) {
  return useSyncExternalStore(session.subscribe, session.latest).person
}
