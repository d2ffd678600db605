import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { LimitSettings } from '#server/limits/allowances.ts'
import { countRequests } from '#server/limits/count-requests.ts'
import { openLimits, type Met } from '#server/limits/limits.ts'
import type { Pages } from '#server/pages/built-pages.ts'
import { contactRoutes } from '#server/pages/contact-routes.ts'
import { pageRoutes } from '#server/pages/page-routes.ts'
import { accountRoutes } from '#server/rest/account.ts'
import { accountExportRoutes } from '#server/rest/exports.ts'
import { billingRoutes } from '#server/rest/billing.ts'
import { answerError } from '#server/rest/answers/errors.ts'
import { readJson, refuseEncodedBody, refuseNestedQuery, refuseUnknownQuery } from '#server/rest/input.ts'
import { logoRoutes } from '#server/rest/logos.ts'
import { operatorRoutes } from '#server/operator/operator-routes.ts'
import { answerRoutes } from '#server/rest/readers/answers.ts'
import { reportRoutes } from '#server/rest/readers/reports.ts'
import { restRoutes } from '#server/rest/rest.ts'
import { unsubscribeRoutes } from '#server/rest/readers/unsubscribe.ts'
import { webhookRoutes } from '#server/rest/webhooks.ts'
import { enforceKeyScopes } from '#server/identity/enforce-key-scopes.ts'
import { logRestEvents } from '#server/security/security-events.ts'
import { logMet } from '#server/security/security-log.ts'
import { callSecurity, contentSecurity, refusalHeaders } from '#server/http/content-security.ts'
import { healthRoutes } from '#server/http/health.ts'
import { refuseOtherHosts, refuseSeveralHosts } from '#server/http/host-check.ts'
import { refuseOtherNetworks } from '#server/http/local-network-only.ts'
import { logFormat, requestIds } from '#server/http/log-format.ts'
import { metricsRoutes, type MetricsAccess } from '#server/http/metrics.ts'
import { contextOf, provideContext, type ServerDependencies } from '#server/http/request-context.ts'
import { proofKeyRoute } from '#server/http/proof-key.ts'
import { securityTxt } from '#server/http/security-txt.ts'
import { answerOneByOne } from '#server/http/pipelining.ts'
import { answerClientError, limitSlowClients, LONGEST_UPLOAD_MS } from '#server/http/slow-clients.ts'
import { refuseWhileStopping } from '#server/http/stopping.ts'
import { trpcRoutes } from '#server/http/trpc-routes.ts'
import { nameByRoute } from '#server/tracing/spans.ts'

export interface AppOptions extends Omit<ServerDependencies, 'limits'> {
  origins: string[]
  logLevel: string
  /** Where the log goes; the process's output where it is not said. */
  logTo?: { write: (line: string) => void } | undefined
  pages: Pages
  /** The proxies that are trusted on where a request comes from. */
  trustedProxies?: string | undefined
  /** Refuses requests for other host names than those of the origins. */
  knownHostsOnly?: boolean
  /** Refuses requests from outside of this machine and its private network. */
  localNetworkOnly?: boolean
  /** Timeout of headers and of bodies other than uploads, and a quarter of that of unread responses; 30 s by default. */
  timeoutMs?: number | undefined
  /** Other limits than those of allowances.ts. */
  limits?: LimitSettings | undefined
  /** Whether browsers use https alone for the subdomains of our host as well. */
  hstsSubdomains?: boolean | undefined
  /** Where to report a vulnerability; by default the contact form's address. */
  securityContact?: string | undefined
  /** Who may see /metrics; nobody by default. */
  metrics?: MetricsAccess
  /** Opens the operator's page; without it there is none. */
  operatorToken?: string | undefined
  /** Local services, and Vite while developing; none in production. */
  plugins: FastifyPluginAsync[]
}

/** The whole HTTP server, not yet listening: wiring and nothing else. */
export async function buildApp({
  pages,
  plugins,
  logLevel,
  logTo,
  trustedProxies,
  knownHostsOnly = false,
  localNetworkOnly = false,
  timeoutMs,
  metrics = 'nobody',
  limits: settings,
  hstsSubdomains = false,
  securityContact,
  operatorToken,
  ...opened
}: AppOptions): Promise<FastifyInstance> {
  const [origin = ''] = opened.origins
  const headers = refusalHeaders({ origin, hstsSubdomains })
  const app = Fastify({
    logger: logFormat({ level: logLevel, to: logTo }),
    genReqId: requestIds(trustedProxies !== undefined),
    trustProxy: trustedProxies ?? false,
    bodyLimit: 1_048_576,
    requestTimeout: LONGEST_UPLOAD_MS,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, headers),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(headers)),
    routerOptions: { maxParamLength: 5000, ignoreTrailingSlash: true },
  })
  const onMet = (met: Met) => logMet(app.log, met)
  const shared = { ...opened, limits: openLimits(opened.db.as('traxx').systemNow, { settings, onMet }) }
  app.setErrorHandler(answerError)
  answerOneByOne(app)
  app.addHook('onRequest', async ({ id }, reply) => void reply.header('x-request-id', id))
  nameByRoute(app)
  limitSlowClients(app, timeoutMs)
  const { identityConfig: identity, contactMail, now } = shared.services
  // First, so that refusals have the headers too.
  contentSecurity(app, { identity, origin, hstsSubdomains, sockets: pages.folder === undefined })
  refuseWhileStopping(app)
  refuseSeveralHosts(app)
  if (localNetworkOnly) refuseOtherNetworks(app)
  if (knownHostsOnly) refuseOtherHosts(app, shared.origins)
  await app.register(securityTxt, { contact: securityContact ?? contactMail, origin, now })
  await app.register(proofKeyRoute, { publicPem: shared.services.proofSigner.publicPem })
  const { limits, services } = shared
  const db = shared.db.as('traxx')
  await app.register(healthRoutes, { db })
  await metricsRoutes(app, { db, services, limits, access: metrics })
  for (const plugin of plugins) await app.register(plugin)
  await app.register(logoRoutes, { db, limits, services })
  await app.register(unsubscribeRoutes, { db, limits, services })
  await app.register(reportRoutes, { db, limits, services })
  await app.register(answerRoutes, { db, limits, services })
  await app.register(operatorRoutes, { ...shared, token: operatorToken })
  await pageRoutes(app, { ...shared, pages, origin })
  await app.register(contactRoutes, { ...shared, pages })
  await app.register(callRoutes(shared))
  return app
}

/** What programs and the browser's scripts call: tRPC and REST. */
function callRoutes({ origins, ...shared }: ServerDependencies & { origins: string[] }): FastifyPluginAsync {
  const context = contextOf({ origins, ...shared })
  const { limits } = shared
  return async (calls) => {
    callSecurity(calls)
    countRequests(calls, limits)
    calls.addHook('preParsing', refuseEncodedBody)
    await calls.register(trpcRoutes, { context, limits })
    await calls.register(async (rest) => {
      provideContext(rest, context)
      enforceKeyScopes(rest)
      logRestEvents(rest)
      readJson(rest)
      rest.addHook('preValidation', refuseNestedQuery)
      await rest.register(webhookRoutes)
      rest.addHook('preValidation', refuseUnknownQuery)
      await rest.register(accountRoutes)
      await rest.register(accountExportRoutes)
      await rest.register(billingRoutes)
      await rest.register(restRoutes)
    })
  }
}
