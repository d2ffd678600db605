import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { ListNotifications } from '#shared/schemas/notifications.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { countUnread, listNotifications, markRead } from '#server/notifications/notifications.service.ts'
import { inputOf } from './input.ts'

export async function notificationRoutes(app: FastifyInstance) {
  app.get('/notifications', async (request) =>
    listNotifications(requireReader(request.context), inputOf(ListNotifications, request)),
  )

  app.get('/notifications/unread-count', async (request) => countUnread(requireReader(request.context)))

  app.put('/notifications/:id/read', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => markRead(ctx, input))
    return reply.code(204).send()
  })
}
