import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { RestoreNotifications, SliceNotifications } from '#shared/schemas/notifications.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  clearNotifications,
  countUnread,
  listNotifications,
  markAllRead,
  markRead,
  removeNotification,
  restoreNotifications,
} from '#server/notifications/notifications.service.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'
import { alsoAScreen } from './answers/also-a-screen.ts'

import { sendSlice } from './answers/slices.ts'

export async function notificationRoutes(app: FastifyInstance) {
  app.get('/notifications', alsoAScreen(SliceNotifications), async (request, reply) => {
    const ctx = requireReader(request.context)
    const { limit, cursor, ...filter } = inputOf(SliceNotifications, request)
    return sendSlice({ request, reply }, { limit, cursor }, (page) => listNotifications(ctx, { ...filter, ...page }))
  })

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

  app.delete('/notifications/:id', async (request) => {
    const input = inputOf(ById, request)
    return asSubscriber(request.context, (ctx) => removeNotification(ctx, input))
  })

  app.post('/notifications/clear', async (request) => asSubscriberOnce(request, clearNotifications))

  app.post('/notifications/restore', async (request) => {
    const input = inputOf(RestoreNotifications, request)
    return asSubscriberOnce(request, (ctx) => restoreNotifications(ctx, input))
  })
}
