import type { FastifyInstance } from 'fastify'
import { requireReader } from '#server/context.ts'
import { sendScreenToBrowsers } from './answers/also-a-screen.ts'
import { bounceRoutes } from './bounces.ts'
import { contractPdfRoutes } from './contract-pdf.ts'
import { contractRoutes } from './contracts.ts'
import { customerRoutes } from './customers.ts'
import { dashboardRoutes } from './dashboard.ts'
import { answerError } from './answers/errors.ts'
import { exportRoutes } from './exports.ts'
import { importRoutes } from './imports.ts'
import { notificationRoutes } from './notifications.ts'
import { reminderTextRoutes } from './reminder-texts.ts'
import { reminderRoutes } from './reminders.ts'

/** The REST shim: the calls of the specification's section 7, under the same services as tRPC. */
export async function restRoutes(app: FastifyInstance) {
  app.setErrorHandler(answerError)

  // The caller is checked before any of the body is read; browsers always get the screen.
  app.addHook('onRequest', async (request, reply) => {
    if (await sendScreenToBrowsers(request, reply)) return reply
    requireReader(request.context)
    return undefined
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
