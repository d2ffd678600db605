import type { FastifyInstance } from 'fastify'
import { requireScope, type CallScope } from '#server/context.ts'
import { ROUTE_SCOPES } from './key-scopes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The API key scope that the route needs; if undefined, keys are refused. */
    keyScope?: CallScope | undefined
  }
}

/** Refuses API keys with too narrow a scope, in every route of this Fastify scope, before the body is read. */
export function enforceKeyScopes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const [method] = [route.method].flat()
    const keyScope = ROUTE_SCOPES[`${method === 'HEAD' ? 'GET' : method} ${route.url}`]
    route.config = { ...route.config, keyScope }
  })
  app.addHook('onRequest', async ({ context, routeOptions }) =>
    requireScope(context, routeOptions.config.keyScope ?? 'none'),
  )
}
