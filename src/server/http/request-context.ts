import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actingAs, type Caller, type RequestContext } from '#server/context.ts'
import type { Actor } from '#server/db/actor.ts'
import { isApiKey } from '#server/identity/api-keys.service.ts'
import { countCaller } from '#server/limits/count-requests.ts'
import { securityLog } from '#server/security/security-log.ts'
import { identifyBearer } from './request-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext
  }
}

export type ServerDependencies = Pick<RequestContext, 'db' | 'services' | 'callers' | 'limits'>

/** `calls` is how many the request carries; each is counted against the account. @throws TOO_MANY_REQUESTS */
export type ContextOf = (request: FastifyRequest, reply: FastifyReply, calls?: number) => Promise<RequestContext>

/** Tells for each request who asks, and from which of our origins. */
export function contextOf({ origins, ...shared }: ServerDependencies & { origins: string[] }): ContextOf {
  return async (request, reply, calls) => {
    const bearer = bearerOf(request)
    const { log } = request
    const visitor = securityLog(log, { actor: '', account: undefined, address: request.ip })
    const { keyId, ...identity } = await identifyBearer({ ...shared, security: visitor }, request, bearer)
    const { caller } = identity
    if (caller) await countCaller(shared.limits, { accountId: caller.id, reply, ...(calls && { calls }) })
    const actor = actorOf(caller, keyId)
    if (caller) request.log = reply.log = log.child({ accountId: caller.id })
    const context: RequestContext = {
      ...shared,
      actor,
      security: securityLog(log, { actor, account: caller?.id, address: request.ip }),
      log: request.log,
      origin: originOf(request, origins),
      viaApiKey: bearer !== undefined && isApiKey(bearer),
      ...identity,
    }
    return actingAs(context, actor)
  }
}

/** Gives every request of this scope its context. */
export function provideContext(app: FastifyInstance, find: ContextOf) {
  app.decorateRequest('context')
  app.addHook('onRequest', async (request, reply) => {
    request.context = await find(request, reply)
  })
}

export function actorOf(caller: Caller | null, keyId?: number): Actor {
  if (!caller) return ''
  return keyId === undefined ? `person:${caller.id}` : `key:${keyId}`
}

function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  return authorization?.match(/^Bearer (\S+)$/i)?.[1]
}

/** The browser's own origin where it is one of ours, else the first of ours. */
function originOf(request: FastifyRequest, origins: string[]): string {
  const claimed = request.headers.origin ?? `${request.protocol}://${request.host}`
  const [first = claimed] = origins
  return origins.includes(claimed) ? claimed : first
}
