import type { FastifyInstance } from 'fastify'
import { requireExporter, requireReader } from '#server/context.ts'
import { sendScreenToBrowsers } from './answers/also-a-screen.ts'
import { activityRoutes } from './activity.ts'
import { archiveRoutes } from './archives.ts'
import { bounceRoutes } from './bounces.ts'
import { bulkRoutes } from './bulk.ts'
import { calendarRoutes } from './calendar.ts'
import { contactRoutes } from './contacts.ts'
import { contractPdfRoutes } from './contract-pdf.ts'
import { contractRoutes } from './contracts.ts'
import { renewalRoutes } from './renewals.ts'
import { customerAnswerRoutes } from './customer-answers.ts'
import { customerRoutes } from './customers.ts'
import { dashboardRoutes } from './dashboard.ts'
import { answerError } from './answers/errors.ts'
import { exportRoutes } from './exports.ts'
import { importRoutes } from './imports.ts'
import { noticeRuleRoutes } from './notice-rules.ts'
import { noticeRoutes } from './notices.ts'
import { notificationRoutes } from './notifications.ts'
import { certificateRoutes, proofRoutes } from './proofs.ts'
import { reminderTextRoutes } from './reminder-texts.ts'
import { reminderRoutes } from './reminders.ts'
import { trashRoutes } from './trash.ts'
import { tagRoutes } from './tags.ts'
import { viewRoutes } from './views.ts'

/** The REST API of the specification's section 7, which calls the same services as tRPC. */
export async function restRoutes(app: FastifyInstance) {
  app.setErrorHandler(answerError)

  app.addHook('onRequest', async (request, reply) => {
    // A browser without a session gets the screen too, which asks it to sign in.
    return (await sendScreenToBrowsers(request, reply)) ? reply : undefined
  })

  await app.register(async (open) => {
    open.addHook('onRequest', async ({ context }) => void requireExporter(context))
    await open.register(noticeRoutes)
    await open.register(certificateRoutes)
  })
  await app.register(readerRoutes)
}

async function readerRoutes(app: FastifyInstance) {
  // Before any of the body is read.
  app.addHook('onRequest', async ({ context }) => void requireReader(context))
  await app.register(customerRoutes)
  await app.register(contactRoutes)
  await app.register(contractRoutes)
  await app.register(renewalRoutes)
  await app.register(customerAnswerRoutes)
  await app.register(activityRoutes)
  await app.register(bulkRoutes)
  await app.register(trashRoutes)
  await app.register(tagRoutes)
  await app.register(viewRoutes)
  await app.register(contractPdfRoutes)
  await app.register(calendarRoutes)
  await app.register(dashboardRoutes)
  await app.register(noticeRuleRoutes)
  await app.register(notificationRoutes)
  await app.register(reminderRoutes)
  await app.register(proofRoutes)
  await app.register(bounceRoutes)
  await app.register(reminderTextRoutes)
  await app.register(importRoutes)
  await app.register(archiveRoutes)
  await app.register(exportRoutes)
}
