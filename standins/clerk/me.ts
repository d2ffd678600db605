import sql from 'sql-template-tag'
import { z } from 'zod'
import { activityJson } from './activity.ts'
import type { Call, Route } from './call.ts'
import { ClerkError } from './errors.ts'
import { Flag, Name, parse, parseId, Password, TypedPassword } from './input.ts'
import { findSignedInUser } from './signed-in-user.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { requireRecentSignIn } from './recent-sign-in.ts'
import { sessionFactsJson, userJson } from './resources.ts'
import { ACTIVE, closeSessions, findSession, listSessions, type SessionRow } from './session-store.ts'
import { deleteUser, updateUser, type UserRow } from './user-store.ts'

export const meRoutes: Route[] = [
  { method: 'GET', path: '/v1/me', handle: async (call) => userJson((await findSignedInUser(call)).user) },
  { method: 'PATCH', path: '/v1/me', handle: update },
  { method: 'DELETE', path: '/v1/me', handle: remove },
  { method: 'POST', path: '/v1/me/change_password', handle: changePassword },
  { method: 'GET', path: '/v1/me/sessions', bare: true, handle: (call) => sessions(call, sql`true`) },
  { method: 'GET', path: '/v1/me/sessions/active', bare: true, handle: (call) => sessions(call, ACTIVE) },
  { method: 'POST', path: '/v1/me/sessions/:id/revoke', handle: revoke },
]

async function update(call: Call) {
  const { user } = await findSignedInUser(call)
  const names = parse(z.strictObject({ first_name: Name.optional(), last_name: Name.optional() }), call.body)
  return userJson(await updateUser(call.db, user.id, names))
}

async function remove(call: Call) {
  const { session, user } = await findSignedInUser(call)
  requireRecentSignIn(session)
  await deleteUser(call.db, user.id)
  return { object: 'user', id: user.id, deleted: true }
}

const PasswordChange = z.object({
  current_password: TypedPassword.optional(),
  new_password: Password,
  sign_out_of_other_sessions: Flag.default(false),
})

async function changePassword(call: Call) {
  const { session, user } = await findSignedInUser(call)
  const change = parse(PasswordChange, call.body)
  await requireCurrentPassword(user, change.current_password)
  const changed = await updateUser(call.db, user.id, { password_hash: await hashPassword(change.new_password) })
  if (change.sign_out_of_other_sessions) {
    await closeSessions(call.db, 'revoked', sql`user_id = ${user.id} and id <> ${session.id}`)
  }
  return userJson(changed)
}

/** An account that has none sets its first password without. */
async function requireCurrentPassword({ password_hash }: UserRow, current: string | undefined): Promise<void> {
  if (!password_hash) return
  if (current === undefined) throw new ClerkError('form_param_nil', 'current_password')
  if (!(await isPassword(current, password_hash))) {
    throw new ClerkError('form_password_validation_failed', 'current_password')
  }
}

async function sessions(call: Call, condition: typeof ACTIVE) {
  const { user } = await findSignedInUser(call)
  const found = await listSessions(call.db, sql`user_id = ${user.id} and ${condition}`)
  return found.map(withActivity)
}

async function revoke(call: Call) {
  const { user } = await findSignedInUser(call)
  const mine = sql`id = ${parseId(call.params)} and user_id = ${user.id}`
  await closeSessions(call.db, 'revoked', mine)
  const session = await findSession(call.db, mine)
  if (!session) throw new ClerkError('resource_not_found')
  return withActivity(session)
}

function withActivity(session: SessionRow) {
  return { ...sessionFactsJson(session), user: null, latest_activity: activityJson(session) }
}
