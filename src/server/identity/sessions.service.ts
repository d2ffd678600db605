import type { Session } from '@clerk/fastify'
import { AppError } from '#shared/errors.ts'
import type { EndSession, SignOutOthers } from '#shared/schemas/accounts.ts'
import { refuseApiKey, type AccountContext } from '#server/context.ts'

export interface SessionView {
  id: string
  /** As in "Chrome on Windows". */
  device: string
  isMobile: boolean
  /** As in "Berlin, DE", if the identity provider knows. */
  place: string | null
  lastActiveAt: Date
}

const MOST_SESSIONS = 500

/** The person's sessions, the latest first. @throws IDENTITY_UNAVAILABLE, API_KEY_REFUSED, TOO_MANY_REQUESTS */
export async function listSessions(ctx: AccountContext): Promise<SessionView[]> {
  const sessions = await activeSessions(ctx)
  return sessions.map(sessionView).toSorted((a, b) => b.lastActiveAt.getTime() - a.lastActiveAt.getTime())
}

/**
 * Ends every session but one; a browser notices when its token runs out, within a minute.
 * @throws IDENTITY_UNAVAILABLE, API_KEY_REFUSED, TOO_MANY_REQUESTS
 */
export async function signOutOthers(ctx: AccountContext, { keep }: SignOutOthers): Promise<{ count: number }> {
  const others = (await activeSessions(ctx)).filter(({ id }) => id !== keep)
  await orUnavailable(Promise.all(others.map(({ id }) => ctx.services.clerk.sessions.revokeSession(id))))
  return { count: others.length }
}

/** Ends one of the person's sessions. @throws SESSION_NOT_FOUND, IDENTITY_UNAVAILABLE, API_KEY_REFUSED, TOO_MANY_REQUESTS */
export async function endSession(ctx: AccountContext, { id }: EndSession): Promise<void> {
  const own = await activeSessions(ctx)
  if (!own.some((session) => session.id === id)) throw new AppError('SESSION_NOT_FOUND')
  await orUnavailable(ctx.services.clerk.sessions.revokeSession(id))
}

async function activeSessions(ctx: AccountContext): Promise<Session[]> {
  refuseApiKey(ctx)
  await ctx.limits.take('identityCalls', ctx.accountId)
  const { sessions } = ctx.services.clerk
  const { clerkUserId: userId } = ctx.caller
  const { data } = await orUnavailable(sessions.getSessionList({ userId, status: 'active', limit: MOST_SESSIONS }))
  return data
}

function sessionView({ id, latestActivity: activity, lastActiveAt }: Session): SessionView {
  return {
    id,
    device: deviceName(activity?.browserName, activity?.deviceType),
    isMobile: activity?.isMobile ?? false,
    place: [activity?.city, activity?.country].filter(Boolean).join(', ') || null,
    lastActiveAt: new Date(lastActiveAt),
  }
}

function deviceName(browser: string | undefined, device: string | undefined): string {
  if (browser && device) return `${browser} on ${device}`
  return browser || device || 'Unknown device'
}

async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw new AppError('IDENTITY_UNAVAILABLE', { cause: error })
  })
}
