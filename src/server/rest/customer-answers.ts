import type { FastifyInstance } from 'fastify'
import {
  AcceptAnswer,
  AnswerSettings,
  DeclineAnswer,
  SaveContractAnswers,
  SliceAnswers,
} from '#shared/schemas/answers.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  getAnswerSettings,
  getContractAnswers,
  saveAnswerSettings,
  saveContractAnswers,
} from '#server/customer-answers/answer-settings.service.ts'
import { declineAnswer, listAnswers, revokeLinks } from '#server/customer-answers/answers.service.ts'
import { acceptByHand } from '#server/renewals/accept-by-hand.service.ts'
import { alsoAScreen } from './answers/also-a-screen.ts'
import { sendSlice } from './answers/slices.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'

export async function customerAnswerRoutes(app: FastifyInstance) {
  app.get('/answers', alsoAScreen(SliceAnswers), async (request, reply) => {
    const ctx = requireReader(request.context)
    const { limit, cursor, ...filter } = inputOf(SliceAnswers, request)
    return sendSlice({ request, reply }, { limit, cursor }, (page) => listAnswers(ctx, { ...filter, ...page }))
  })

  app.post('/answers/:id/accept', async (request) => {
    const input = inputOf(AcceptAnswer, request)
    return asSubscriberOnce(request, (ctx) => acceptByHand(ctx, input))
  })

  app.post('/answers/:id/decline', async (request) => {
    const input = inputOf(DeclineAnswer, request)
    return asSubscriberOnce(request, (ctx) => declineAnswer(ctx, input))
  })

  app.get('/account/answer-settings', async (request) => getAnswerSettings(requireReader(request.context)))

  app.put('/account/answer-settings', async (request) => {
    const input = inputOf(AnswerSettings, request)
    return asSubscriber(request.context, (ctx) => saveAnswerSettings(ctx, input))
  })

  app.get('/contracts/:id/answer-settings', async (request) =>
    getContractAnswers(requireReader(request.context), inputOf(ById, request)),
  )

  app.put('/contracts/:id/answer-settings', async (request) => {
    const input = inputOf(SaveContractAnswers, request)
    return asSubscriber(request.context, (ctx) => saveContractAnswers(ctx, input))
  })

  app.post('/contracts/:id/answer-links/revoke', async (request) => {
    const input = inputOf(ById, request)
    return asSubscriberOnce(request, (ctx) => revokeLinks(ctx, input))
  })
}
