import type { FastifyInstance } from 'fastify'
import { SliceContracts } from '#shared/schemas/filters.ts'
import { CreateContract, RemindersSwitch, UpdateContract } from '#shared/schemas/contracts.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  createContract,
  getContract,
  listContracts,
  removeContract,
  updateContract,
} from '#server/contracts/contracts.service.ts'
import type { ContractView } from '#server/contracts/contract.view.ts'
import type { AttentionView } from '#server/dashboard/dashboard.service.ts'
import { previewReminder } from '#server/reminders/contract-reminders.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { inputOf, takes } from './input.ts'
import { asSubscriberOnce, runOnce } from './once.ts'
import { ifMatch, sendTagged } from './answers/entity-tag.ts'
import { sendSlice } from './answers/slices.ts'
import { ALSO_A_SCREEN, alsoAScreen } from './answers/also-a-screen.ts'

/** Fields of a contract in responses, also on the dashboard, that a new contract cannot have. */
const READ_ONLY = Object.keys({
  id: 1,
  customerName: 1,
  clientName: 1,
  pdfPath: 1,
  noticeDate: 1,
  term: 1,
  termStart: 1,
  anchorDate: 1,
  nextAmount: 1,
  nextCycle: 1,
  endsOn: 1,
  version: 1,
  daysLeft: 1,
} satisfies Record<Exclude<keyof ContractView | keyof AttentionView, keyof CreateContract>, 1>)

export async function contractRoutes(app: FastifyInstance) {
  app.get('/contracts', alsoAScreen(SliceContracts), async (request, reply) => {
    const ctx = requireReader(request.context)
    const { limit, cursor, ...filter } = inputOf(SliceContracts, request)
    return sendSlice({ request, reply }, { limit, cursor }, (page) => listContracts(ctx, { ...filter, ...page }))
  })

  app.get('/contracts/:id', ALSO_A_SCREEN, async (request, reply) =>
    sendTagged(reply, await getContract(requireReader(request.context), inputOf(ById, request))),
  )

  app.post('/contracts', takes(RemindersSwitch), async (request, reply) => {
    const input = inputOf(CreateContract, request, READ_ONLY)
    const contract = await asSubscriberOnce(request, (ctx) => createContract(ctx, input))
    return reply.code(201).send(contract)
  })

  app.put('/contracts/:id', takes(RemindersSwitch), async (request, reply) => {
    const input = inputOf(UpdateContract, request, READ_ONLY)
    const ifVersion = ifMatch(request)
    return sendTagged(reply, await asSubscriber(request.context, (ctx) => updateContract(ctx, input, { ifVersion })))
  })

  app.delete('/contracts/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeContract(ctx, input))
    return reply.code(204).send()
  })

  app.get('/contracts/:id/reminder', async (request) =>
    previewReminder(requireReader(request.context), inputOf(ById, request)),
  )

  app.post('/contracts/:id/reminder', async (request) => {
    const input = inputOf(ById, request)
    return runOnce(request, () => sendReminder(request.context, input))
  })
}
