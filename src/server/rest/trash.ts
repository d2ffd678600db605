import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { RestoreFromTrash, SliceTrash } from '#shared/schemas/trash.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  listTrash,
  removeContractForGood,
  removeCustomerForGood,
  restoreFromTrash,
} from '#server/trash/trash.service.ts'
import { alsoAScreen } from './answers/also-a-screen.ts'
import { sendSlice } from './answers/slices.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'

export async function trashRoutes(app: FastifyInstance) {
  app.get('/trash', alsoAScreen(SliceTrash), async (request, reply) => {
    const ctx = requireReader(request.context)
    return sendSlice({ request, reply }, inputOf(SliceTrash, request), (page) => listTrash(ctx, page))
  })

  app.post('/trash/restore', async (request) => {
    const input = inputOf(RestoreFromTrash, request)
    return asSubscriberOnce(request, (ctx) => restoreFromTrash(ctx, input))
  })

  app.delete('/trash/contracts/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeContractForGood(ctx, input))
    return reply.code(204).send()
  })

  app.delete('/trash/customers/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeCustomerForGood(ctx, input))
    return reply.code(204).send()
  })
}
