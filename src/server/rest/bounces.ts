import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { clearBounce, clearOwnBounce, getBounce, getOwnBounce } from '#server/deliverability/bounces.service.ts'
import { getMailStop } from '#server/deliverability/mail-stops.service.ts'
import { inputOf } from './input.ts'

export async function bounceRoutes(app: FastifyInstance) {
  app.get('/customers/:id/bounce', async (request) => ({
    bounce: await getBounce(requireReader(request.context), inputOf(ById, request)),
  }))

  app.delete('/customers/:id/bounce', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => clearBounce(ctx, input))
    return reply.code(204).send()
  })

  app.get('/account/mail-stop', async ({ context }) => {
    const ctx = requireReader(context)
    return { stop: await getMailStop(ctx, ctx) }
  })

  app.get('/account/bounce', async ({ context }) => ({ bounce: await getOwnBounce(requireReader(context)) }))

  app.delete('/account/bounce', async ({ context }, reply) => {
    await asSubscriber(context, clearOwnBounce)
    return reply.code(204).send()
  })
}
