import type { FastifyReply } from 'fastify'
import type { ServerDependencies } from '#server/http/request-context.ts'
import { sessionCookie } from '#server/identity/session-cookie.ts'
import { findVisitor, type Visitor } from '#server/identity/visitor.ts'
import { countCaller, countCalls } from '#server/limits/count-requests.ts'

const STRANGER: Visitor = { isSignedIn: false, caller: null }

/**
 * Who opens a page that needs no account, by the identity provider's cookies: no script of it is loaded there. Whoever
 * cannot be known just now, or asks too often, is a visitor like any other.
 */
export async function visitorOf(
  reply: FastifyReply,
  { callers, limits }: Pick<ServerDependencies, 'callers' | 'limits'>,
) {
  const { request } = reply
  reply.header('vary', 'Accept-Encoding, Cookie')
  try {
    if (sessionCookie(request)) await countCalls(limits, reply)
    const visitor = await findVisitor(callers, request)
    if (visitor.caller) await countCaller(limits, { accountId: visitor.caller.id, reply })
    return visitor
  } catch (error) {
    request.log.warn({ err: error }, 'the visitor of a page could not be known')
    return STRANGER
  }
}
