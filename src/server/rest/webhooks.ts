import type { FastifyInstance } from 'fastify'
import { receiveWebhook } from '#server/billing/webhooks.service.ts'
import { receiveMailEvent } from '#server/deliverability/mail-events.service.ts'
import { answerError } from './answers/errors.ts'

/** Webhooks. A signature covers the bytes as they were sent, so bodies are not parsed in this scope. */
export async function webhookRoutes(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(answerError)

  app.post<{ Body: Buffer }>('/stripe/webhook', async (request) => {
    const signature = request.headers['stripe-signature']
    await receiveWebhook(request.context, request.body, typeof signature === 'string' ? signature : undefined)
    return { received: true }
  })

  app.post<{ Body: Buffer }>('/mail/webhook', async (request) => {
    await receiveMailEvent(request.context, request.body)
    return { received: true }
  })
}
