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
 * Who opens a page without a script. The identity provider's cookie with the session's token stays when the token runs
 * out after a minute, and another says whether the browser has signed out since. That is proof enough of where a page
 * leads to, and opens nothing.
 */
export async function findVisitor(callers: Callers, request: Pick<FastifyRequest, 'headers'>): Promise<Visitor> {
  const token = sessionCookie(request)
  const isSignedIn = SIGNED_IN.test(request.headers.cookie ?? '')
  const caller = (await callers.find(token)) ?? (isSignedIn ? await callers.findPast(token) : null)
  return { isSignedIn: isSignedIn || caller !== null, caller }
}

/** Since when this browser is signed in; 0 once it is not. */
const SIGNED_IN = /(?:^|;\s*)__client_uat=[1-9]/
