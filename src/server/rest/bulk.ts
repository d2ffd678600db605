import type { FastifyInstance } from 'fastify'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { ById } from '#shared/schemas/fields.ts'
import { getBulk, startBulk, undoBulk } from '#server/bulk/bulk.service.ts'
import { previewBulk } from '#server/bulk/preview-bulk.service.ts'
import { requireReader, requireSubscriber } from '#server/context.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'

export async function bulkRoutes(app: FastifyInstance) {
  app.post('/bulk', async (request, reply) => {
    const input = inputOf(BulkChange, request)
    if (input.preview) return previewBulk(requireSubscriber(request.context), input)
    void reply.status(202)
    return asSubscriberOnce(request, (ctx) => startBulk(ctx, input))
  })

  app.get('/bulk/:id', async (request) => getBulk(requireReader(request.context), inputOf(ById, request)))

  app.post('/bulk/:id/undo', async (request, reply) => {
    const input = inputOf(ById, request)
    void reply.status(202)
    return asSubscriberOnce(request, (ctx) => undoBulk(ctx, input))
  })
}
