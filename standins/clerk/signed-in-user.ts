import { z } from 'zod'
import { requireSession, type Call } from './call.ts'
import { ClerkError } from './errors.ts'
import { Id, parse } from './input.ts'
import type { SessionRow } from './session-store.ts'
import { findUser, type UserRow } from './user-store.ts'

interface SignedIn {
  session: SessionRow
  user: UserRow
}

/** Who asks: clerk-js names the session, and without one the browser's latest counts. */
export async function findSignedInUser(call: Call): Promise<SignedIn> {
  const { _clerk_session_id = null } = parse(z.object({ _clerk_session_id: Id.optional() }), call.query)
  return findSessionUser(call, _clerk_session_id ?? call.client?.last_active_session_id ?? null)
}

/** A session of the browser that asks, and whose it is. */
export async function findSessionUser(call: Call, sessionId: string | null): Promise<SignedIn> {
  const session = await requireSession(call, sessionId)
  const user = await findUser(call.db, session.user_id)
  if (!user) throw new ClerkError('authentication_invalid')
  return { session, user }
}
