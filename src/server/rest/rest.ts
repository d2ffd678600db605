import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import { requireReader } from '#server/context.ts'
import { contractRoutes } from './contracts.ts'
import { customerRoutes } from './customers.ts'
import { dashboardRoutes } from './dashboard.ts'
import { answerError } from './errors.ts'
import { notificationRoutes } from './notifications.ts'

/** Paths that are a call and a screen as well. */
const SCREENS = new Set(['/dashboard', '/customers', '/contracts', '/notifications'])

/** The REST shim: the calls of the specification's section 7, under the same services as tRPC. */
export async function restRoutes(app: FastifyInstance) {
  app.setErrorHandler(answerError)

  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url
    if (request.method !== 'GET' || !path || !SCREENS.has(path)) return
    reply.header('vary', 'Accept')
    if (negotiate(request.headers.accept ?? '*/*', ['application/json', 'text/html']) === 'text/html') {
      await reply.sendScreen()
    }
  })

  // Who asks is settled before anything of the body is read.
  app.addHook('onRequest', async (request, reply) => {
    if (!reply.sent) requireReader(request.context)
  })

  await app.register(customerRoutes)
  await app.register(contractRoutes)
  await app.register(dashboardRoutes)
  await app.register(notificationRoutes)
}
