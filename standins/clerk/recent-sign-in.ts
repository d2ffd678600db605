import { ClerkError } from './errors.ts'
import type { SessionRow } from './session-store.ts'
import { factorAge } from './session-token.ts'

const RECENT_MINUTES = 10

/** Clerk's rule "strict": of the last ten minutes, by the second factor where one was given. */
export function requireRecentSignIn(session: SessionRow): void {
  const [first, second] = factorAge(session)
  if ((second === -1 ? first : second) >= RECENT_MINUTES) throw new ClerkError('session_reverification_required')
}
