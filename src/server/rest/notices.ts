import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { ListNotices, PostNotice } from '#shared/schemas/notices.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { noticeOfContract } from '#server/notices/contract-notice.service.ts'
import { listNotices } from '#server/notices/notices.service.ts'
import { postNotice, unpostNotice } from '#server/notices/post-notice.service.ts'
import { alsoAScreen } from './answers/also-a-screen.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'

export async function noticeRoutes(app: FastifyInstance) {
  app.get('/notices', alsoAScreen(ListNotices), async (request) =>
    listNotices(requireReader(request.context), inputOf(ListNotices, request)),
  )

  app.get('/contracts/:id/notice', async (request) =>
    noticeOfContract(requireReader(request.context), inputOf(ById, request)),
  )

  app.post('/contracts/:id/notice-letter', async (request) => {
    const input = inputOf(PostNotice, request)
    return asSubscriberOnce(request, (ctx) => postNotice(ctx, input))
  })

  app.delete('/contracts/:id/notice-letter', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => unpostNotice(ctx, input))
    return reply.code(204).send()
  })
}
