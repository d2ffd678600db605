import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestContext } from './context.ts'
import { isApiKey } from './identity/api-keys.service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext
  }
}

export type Shared = Pick<RequestContext, 'db' | 'services' | 'callers'>

export type ContextOf = (request: FastifyRequest) => Promise<RequestContext>

/** Tells for each request who asks, and from which of our origins. */
export function contextOf({ origins, ...shared }: Shared & { origins: string[] }): ContextOf {
  return async (request) => {
    const bearer = bearerOf(request)
    return {
      ...shared,
      log: request.log,
      origin: originOf(request, origins),
      caller: await shared.callers.find(bearer),
      viaApiKey: bearer !== undefined && isApiKey(bearer),
    }
  }
}

/** Gives every request of this scope its context. */
export function provideContext(app: FastifyInstance, find: ContextOf) {
  app.decorateRequest('context')
  app.addHook('onRequest', async (request) => {
    request.context = await find(request)
  })
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
