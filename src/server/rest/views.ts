import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { ChangeView, ListSettings, SaveView } from '#shared/schemas/views.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { getListSettings, saveListSettings } from '#server/views/list-settings.service.ts'
import { changeView, listViews, removeView, saveView } from '#server/views/views.service.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'

export async function viewRoutes(app: FastifyInstance) {
  app.get('/views/settings', async (request) => getListSettings(requireReader(request.context)))

  app.put('/views/settings', async (request) => {
    const input = inputOf(ListSettings, request)
    return asSubscriber(request.context, (ctx) => saveListSettings(ctx, input))
  })

  app.get('/views', async (request) => listViews(requireReader(request.context)))

  app.post('/views', async (request, reply) => {
    const input = inputOf(SaveView, request, ['id'])
    return reply.code(201).send(await asSubscriberOnce(request, (ctx) => saveView(ctx, input)))
  })

  app.put('/views/:id', async (request) => {
    const input = inputOf(ChangeView, request)
    return asSubscriber(request.context, (ctx) => changeView(ctx, input))
  })

  app.delete('/views/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeView(ctx, input))
    return reply.code(204).send()
  })
}
