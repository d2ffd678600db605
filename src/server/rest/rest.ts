import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireReader } from '#server/context.ts'
import { bounceRoutes } from './bounces.ts'
import { contractPdfRoutes } from './contract-pdf.ts'
import { contractRoutes } from './contracts.ts'
import { customerRoutes } from './customers.ts'
import { dashboardRoutes } from './dashboard.ts'
import { answerError } from './errors.ts'
import { exportRoutes } from './exports.ts'
import { importRoutes } from './imports.ts'
import { notificationRoutes } from './notifications.ts'
import { reminderTextRoutes } from './reminder-texts.ts'
import { reminderRoutes } from './reminders.ts'

/** Paths that are a call and a screen as well. */
const SCREENS = new Set([
  '/dashboard',
  '/customers',
  '/contracts',
  '/notifications',
  '/notifications/settings',
  '/notifications/texts',
  '/reminders',
])

/** The REST shim: the calls of the specification's section 7, under the same services as tRPC. */
export async function restRoutes(app: FastifyInstance) {
  app.setErrorHandler(answerError)

  // The caller is checked before any of the body is read; browsers always get the screen.
  app.addHook('onRequest', async (request, reply) => {
    if (['GET', 'HEAD'].includes(request.method) && SCREENS.has(pathOf(request))) {
      reply.header('vary', 'Accept')
      if (prefersHtml(request)) return reply.sendScreen()
    }
    requireReader(request.context)
  })

  await app.register(customerRoutes)
  await app.register(contractRoutes)
  await app.register(contractPdfRoutes)
  await app.register(dashboardRoutes)
  await app.register(notificationRoutes)
  await app.register(reminderRoutes)
  await app.register(bounceRoutes)
  await app.register(reminderTextRoutes)
  await app.register(importRoutes)
  await app.register(exportRoutes)
}

/** As somebody may write it into a browser. */
function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\/?(\?.*)?$/, '')
}

function prefersHtml({ headers: { accept = '*/*' } }: FastifyRequest): boolean {
  return negotiate(accept, ['application/json', 'text/html']) === 'text/html'
}
