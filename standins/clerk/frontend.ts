import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Call, Route } from './call.ts'
import { findClient, lockClient } from './client-store.ts'
import { clientRoutes } from './clients.ts'
import { inTransaction, type Db } from './database.ts'
import { ClerkError } from './errors.ts'
import { emailAddressRoutes } from './email-addresses.ts'
import { meRoutes } from './me.ts'
import { clientJson } from './resources.ts'
import { sessionVerificationRoutes } from './session-verifications.ts'
import { sessionRoutes } from './sessions.ts'
import { signInRoutes } from './sign-ins.ts'
import { signUpRoutes } from './sign-ups.ts'
import type { Standin } from './standin.ts'
import { twoFactorRoutes } from './two-factor.ts'

const ROUTES = [
  ...clientRoutes,
  ...signUpRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...sessionVerificationRoutes,
  ...meRoutes,
  ...emailAddressRoutes,
  ...twoFactorRoutes,
]
const COOKIE_SECONDS = 365 * 24 * 60 * 60

/** Clerk's Frontend API: what clerk-js calls from the browser. */
export function frontendApi(standin: Standin): FastifyPluginAsync {
  return async (app) => {
    for (const [path, routes] of Map.groupBy(ROUTES, (route) => route.path)) {
      const reading = routes.find(({ method }) => method === 'GET')
      if (reading) app.get(path, (request, reply) => answer(standin, reading, { app, request, reply }))
      app.post(path, (request, reply) => answer(standin, routeNamed(routes, request), { app, request, reply }))
    }
  }
}

/** clerk-js posts whatever is not read, and names the method it means in the address. */
function routeNamed(routes: Route[], request: FastifyRequest): Route {
  const { _method } = z.object({ _method: z.string().catch('POST') }).parse(request.query)
  const route = routes.find(({ method }) => method === _method && method !== 'GET')
  if (!route) throw new ClerkError('resource_not_found')
  return route
}

interface Exchange {
  app: FastifyInstance
  request: FastifyRequest
  reply: FastifyReply
}

async function answer(standin: Standin, route: Route, { app, request, reply }: Exchange) {
  if (route.method !== 'GET') refuseForeignPage(request)
  const { call, status, body } = await inTransaction(standin.pool, async (db) => {
    const begun = await beginCall(standin, db, request)
    if (route.method !== 'GET' && begun.client) await lockClient(db, begun.client)
    return { call: begun, ...(await settle(route, begun)) }
  })
  if (call.newCookie) reply.header('set-cookie', cookie(call.newCookie, app.prefix, request.protocol === 'https'))
  for (const mail of call.outbox) await standin.sendMail(mail)
  return reply.code(status).header('cache-control', 'no-store').send(body)
}

/** A refusal is an answer like any other, so that its transaction commits: a wrong code has to count. */
async function settle(route: Route, call: Call) {
  try {
    const response = await route.handle(call)
    const client = route.bare || route.method === 'GET' ? null : await clientJson(call)
    return { status: 200, body: route.bare ? response : { response, client } }
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error
    const client = route.method === 'GET' || error.status === 401 ? null : await clientJson(call)
    return { status: error.status, body: { ...error.toJSON(), ...(client && { meta: { client } }) } }
  }
}

async function beginCall({ keys }: Standin, db: Db, request: FastifyRequest): Promise<Call> {
  const known = /(?:^|;\s*)__client=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  return {
    db,
    keys,
    origin: `${request.protocol}://${request.host}`,
    params: request.params,
    query: request.query,
    body: request.body ?? {},
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
    ipAddress: request.ip,
    client: known ? await findClient(db, known) : null,
    newCookie: null,
    outbox: [],
  }
}

/** Refuses cross-site requests. Browsers always send the origin of those. */
function refuseForeignPage({ headers: { origin }, host }: FastifyRequest): void {
  if (origin !== undefined && URL.parse(origin)?.host !== host) throw new ClerkError('origin_invalid')
}

function cookie(secret: string, path: string, isSecure: boolean): string {
  const attributes = `Path=${path || '/'}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `__client=${secret}; ${attributes}`
}
