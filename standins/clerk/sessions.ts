import sql from 'sql-template-tag'
import { z } from 'zod'
import { ensureClient, requireSession, type Call, type Route } from './call.ts'
import { ClerkError } from './errors.ts'
import { parse, parseId } from './input.ts'
import { sessionJson } from './resources.ts'
import { ageSignIns, closeSessions, insertSession, touchSession, type SessionRow } from './session-store.ts'
import { sessionToken } from './session-token.ts'
import { markSignedIn, type UserRow } from './user-store.ts'

const path = '/v1/client/sessions/:id'

export const sessionRoutes: Route[] = [
  { method: 'GET', path, handle: async (call) => sessionJson(call, await own(call)) },
  { method: 'POST', path: `${path}/touch`, handle: touch },
  { method: 'POST', path: `${path}/tokens`, bare: true, handle: token },
  { method: 'POST', path: `${path}/end`, handle: (call) => close(call, 'ended') },
  { method: 'POST', path: `${path}/remove`, handle: (call) => close(call, 'removed') },
  // Clerk has no such call; it saves developers the wait until a sign-in is no longer recent.
  { method: 'POST', path: '/dev/age-sign-ins', bare: true, handle: age },
]

/** Signs a user in, in the browser that calls. */
export async function startSession(call: Call, user: UserRow, { bySecondFactor = false } = {}): Promise<SessionRow> {
  const { id } = await ensureClient(call)
  await markSignedIn(call.db, user.id)
  return insertSession(call.db, {
    client_id: id,
    user_id: user.id,
    user_agent: call.userAgent,
    ip_address: call.ipAddress,
    second_factor_at: bySecondFactor ? new Date() : null,
  })
}

async function touch(call: Call) {
  return sessionJson(call, await touchSession(call.db, await own(call)))
}

async function token(call: Call) {
  const session = await touchSession(call.db, await own(call))
  return { object: 'token', jwt: sessionToken(call.keys, session, call.origin) }
}

const Age = z.object({ minutes: z.coerce.number().int().min(1).max(10_000) })

async function age(call: Call) {
  const { minutes } = parse(Age, call.body)
  if (!call.client) throw new ClerkError('authentication_invalid')
  await ageSignIns(call.db, call.client.id, minutes)
  return { minutes }
}

async function close(call: Call, status: 'ended' | 'removed') {
  const { id } = await own(call)
  const [closed] = await closeSessions(call.db, status, sql`id = ${id}`)
  return closed && sessionJson(call, closed)
}

function own(call: Call): Promise<SessionRow> {
  return requireSession(call, parseId(call.params))
}
