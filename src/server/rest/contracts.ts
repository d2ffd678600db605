import type { FastifyInstance } from 'fastify'
import { SliceContracts } from '#shared/schemas/filters.ts'
import { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  createContract,
  getContract,
  listContracts,
  removeContract,
  updateContract,
} from '#server/contracts/contracts.service.ts'
import { previewReminder } from '#server/reminders/contract-reminders.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { inputOf, inputWithReminders } from './input.ts'
import { sendSlice } from './slices.ts'
import { ALSO_A_SCREEN } from './also-a-screen.ts'

export async function contractRoutes(app: FastifyInstance) {
  app.get('/contracts', ALSO_A_SCREEN, async (request, reply) => {
    const ctx = requireReader(request.context)
    const { limit, cursor, ...filter } = inputOf(SliceContracts, request)
    return sendSlice({ request, reply }, { limit, cursor }, (page) => listContracts(ctx, { ...filter, ...page }))
  })

  app.get('/contracts/:id', async (request) => getContract(requireReader(request.context), inputOf(ById, request)))

  app.post('/contracts', async (request, reply) => {
    const input = inputWithReminders(CreateContract, request)
    const contract = await asSubscriber(request.context, (ctx) => createContract(ctx, input))
    return reply.code(201).send(contract)
  })

  app.put('/contracts/:id', async (request) => {
    const input = inputWithReminders(UpdateContract, request)
    return asSubscriber(request.context, (ctx) => updateContract(ctx, input))
  })

  app.delete('/contracts/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeContract(ctx, input))
    return reply.code(204).send()
  })

  app.get('/contracts/:id/reminder', async (request) =>
    previewReminder(requireReader(request.context), inputOf(ById, request)),
  )

  app.post('/contracts/:id/reminder', async (request) => sendReminder(request.context, inputOf(ById, request)))
}
