import sql from 'sql-template-tag'
import { ensureClient, requireSession, type Call, type Route } from './call.ts'
import { parseId } from './input.ts'
import { sessionJson } from './resources.ts'
import { closeSessions, insertSession, touchSession, type SessionRow } from './session-store.ts'
import { sessionToken } from './session-token.ts'
import { markSignedIn, type UserRow } from './user-store.ts'

const path = '/v1/client/sessions/:id'

export const sessionRoutes: Route[] = [
  { method: 'GET', path, handle: async (call) => sessionJson(call, await own(call)) },
  { method: 'POST', path: `${path}/touch`, handle: touch },
  { method: 'POST', path: `${path}/tokens`, bare: true, handle: token },
  { method: 'POST', path: `${path}/end`, handle: (call) => close(call, 'ended') },
  { method: 'POST', path: `${path}/remove`, handle: (call) => close(call, 'removed') },
]

/** Signs a user in, in the browser that calls. */
export async function startSession(call: Call, user: UserRow): Promise<SessionRow> {
  const { id } = await ensureClient(call)
  await markSignedIn(call.db, user.id)
  return insertSession(call.db, {
    client_id: id,
    user_id: user.id,
    user_agent: call.userAgent,
    ip_address: call.ipAddress,
  })
}

async function touch(call: Call) {
  return sessionJson(call, await touchSession(call.db, await own(call)))
}

async function token(call: Call) {
  const session = await touchSession(call.db, await own(call))
  return { object: 'token', jwt: sessionToken(call.keys, session, call.origin) }
}

async function close(call: Call, status: 'ended' | 'removed') {
  const { id } = await own(call)
  const [closed] = await closeSessions(call.db, status, sql`id = ${id}`)
  return closed && sessionJson(call, closed)
}

function own(call: Call): Promise<SessionRow> {
  return requireSession(call, parseId(call.params))
}
