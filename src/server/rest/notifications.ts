import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { ListNotifications } from '#shared/schemas/notifications.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  clearNotifications,
  countUnread,
  listNotifications,
  markAllRead,
  markRead,
  removeNotification,
} from '#server/notifications/notifications.service.ts'
import { inputOf } from './input.ts'
import { ALSO_A_SCREEN } from './also-a-screen.ts'

export async function notificationRoutes(app: FastifyInstance) {
  app.get('/notifications', ALSO_A_SCREEN, async (request) =>
    listNotifications(requireReader(request.context), inputOf(ListNotifications, request)),
  )

  app.get('/notifications/unread-count', async (request) => countUnread(requireReader(request.context)))

  app.put('/notifications/:id/read', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => markRead(ctx, input))
    return reply.code(204).send()
  })

  app.put('/notifications/read', async (request, reply) => {
    await asSubscriber(request.context, markAllRead)
    return reply.code(204).send()
  })

  app.delete('/notifications/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeNotification(ctx, input))
    return reply.code(204).send()
  })

  app.post('/notifications/clear', async (request, reply) => {
    await asSubscriber(request.context, clearNotifications)
    return reply.code(204).send()
  })
}
