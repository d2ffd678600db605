import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { contactRoutes } from './contact-routes.ts'
import { callSecurity, contentSecurity } from './content-security.ts'
import { healthRoutes } from './health.ts'
import { metricsRoutes, type MetricsAccess } from './metrics.ts'
import { refuseOtherHosts } from './own-hosts.ts'
import { pageRoutes } from './page-routes.ts'
import type { Pages } from './pages.ts'
import { contextOf, provideContext, type ContextOf, type Shared } from './request-context.ts'
import { accountRoutes } from './rest/account.ts'
import { billingRoutes } from './rest/billing.ts'
import { answerError } from './rest/errors.ts'
import { readJson } from './rest/json-body.ts'
import { restRoutes } from './rest/rest.ts'
import { unsubscribeRoutes } from './rest/unsubscribe.ts'
import { webhookRoutes } from './rest/webhooks.ts'
import { appRouter, type AppRouter } from './routers/index.ts'
import { answerClientError, limitSlowClients, LONGEST_UPLOAD_MS } from './slow-clients.ts'
import { rethrowForTRPC } from './trpc.ts'

export interface AppOptions extends Shared {
  origins: string[]
  logLevel: string
  pages: Pages
  /** Whose word counts on where a request comes from. */
  trustedProxies?: string | undefined
  /** Refuses requests for other host names than those of the origins. */
  ownHostsOnly?: boolean
  /** How long headings, and bodies that are no uploads, may take; 30 s where it is not said. */
  patienceMs?: number | undefined
  /** Who may see /metrics; nobody where it is not said. */
  metrics?: MetricsAccess
  /** Stand-ins of outside services, and Vite while developing; none in production. */
  plugins: FastifyPluginAsync[]
}

/** The whole HTTP server, not yet listening: wiring and nothing else. */
export async function buildApp({
  pages,
  plugins,
  logLevel,
  trustedProxies,
  ownHostsOnly = false,
  patienceMs,
  metrics = 'nobody',
  ...shared
}: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] },
    trustProxy: trustedProxies ?? false,
    bodyLimit: 1_048_576,
    requestTimeout: LONGEST_UPLOAD_MS,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: { maxParamLength: 5000 },
  })
  app.setErrorHandler(answerError)
  limitSlowClients(app, patienceMs)
  if (ownHostsOnly) refuseOtherHosts(app, shared.origins)
  contentSecurity(app, { identity: shared.services.identityConfig, sockets: pages.folder === undefined })
  await app.register(healthRoutes, { db: shared.db })
  await metricsRoutes(app, { db: shared.db, access: metrics })
  for (const plugin of plugins) await app.register(plugin)
  await app.register(unsubscribeRoutes, { db: shared.db })
  const [origin = ''] = shared.origins
  await pageRoutes(app, { ...shared, pages, origin })
  await app.register(contactRoutes, { pages, origins: shared.origins, services: shared.services })
  const context = contextOf(shared)
  await app.register(async (calls) => {
    callSecurity(calls)
    await calls.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions: trpcOptions(context) })
    await calls.register(async (rest) => {
      provideContext(rest, context)
      readJson(rest)
      await rest.register(accountRoutes)
      await rest.register(billingRoutes)
      await rest.register(restRoutes)
      await rest.register(webhookRoutes)
    })
  })
  return app
}

// The context is found by tRPC itself, so that a failure on the way is answered in tRPC's form.
function trpcOptions(context: ContextOf): FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] {
  return {
    router: appRouter,
    createContext: ({ req }) => context(req).catch(rethrowForTRPC),
    onError: ({ error, req, path }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR') req.log.error({ err: error.cause ?? error, path }, 'fault')
    },
  }
}
