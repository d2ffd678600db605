import type { FastifyRequest } from 'fastify'
import type { Caller, Callers } from '#server/context.ts'
import { sessionCookie } from './session-cookie.ts'

export interface Visitor {
  /** As far as this browser knows. */
  isSignedIn: boolean
  /** Null also if signed in without a token. */
  caller: Caller | null
}

/**
 * Who requests a page, by the identity provider's cookies alone: one has the session token, which may have expired, and
 * another says whether the browser has signed out since. This decides where links lead and gives no access.
 */
export async function findVisitor(callers: Callers, request: Pick<FastifyRequest, 'headers'>): Promise<Visitor> {
  const token = sessionCookie(request)
  const isSignedIn = SIGNED_IN.test(request.headers.cookie ?? '')
  const caller = (await callers.find(token)) ?? (isSignedIn ? await callers.findPast(token) : null)
  return { isSignedIn: isSignedIn || caller !== null, caller }
}

/** Since when this browser is signed in; 0 after signing out. */
const SIGNED_IN = /(?:^|;\s*)__client_uat=[1-9]/
