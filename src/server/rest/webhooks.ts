import type { FastifyInstance } from 'fastify'
import { receiveWebhook } from '#server/billing/webhooks.service.ts'
import { AppError } from '#shared/errors.ts'
import { receiveMailEvent } from '#server/deliverability/mail-events.service.ts'
import { isCostlyJson } from '#shared/costly-json.ts'
import { answerError } from './answers/errors.ts'

const LONGEST_MAIL_EVENT = 100_000

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

  app.post<{ Body: Buffer | undefined }>('/mail/webhook', { bodyLimit: LONGEST_MAIL_EVENT }, async (request) => {
    // Its signature is in the JSON, so anybody can have it parsed.
    const body = request.body ?? Buffer.alloc(0)
    if (isCostlyJson(body.toString())) throw new AppError('BODY_TOO_LARGE')
    await receiveMailEvent(request.context, body)
    return { received: true }
  })
}
