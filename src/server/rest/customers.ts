import type { FastifyInstance } from 'fastify'
import { SliceCustomers } from '#shared/schemas/filters.ts'
import { CreateCustomer, UpdateCustomer } from '#shared/schemas/customers.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import type { CustomerView } from '#server/customers/customer.view.ts'
import {
  createCustomer,
  getCustomer,
  listCustomers,
  removeCustomer,
  updateCustomer,
} from '#server/customers/customers.service.ts'
import { customerReminders } from '#server/reminders/customer-reminders.service.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'
import { ifMatch, sendTagged } from './answers/entity-tag.ts'
import { sendSlice } from './answers/slices.ts'
import { ALSO_A_SCREEN, alsoAScreen } from './answers/also-a-screen.ts'

/** Fields of a customer in responses that no request can change. */
const READ_ONLY = Object.keys({ id: 1, createdAt: 1, mailClosed: 1, version: 1 } satisfies Record<
  Exclude<keyof CustomerView, keyof CreateCustomer>,
  1
>)

export async function customerRoutes(app: FastifyInstance) {
  app.get('/customers', alsoAScreen(SliceCustomers), async (request, reply) => {
    const ctx = requireReader(request.context)
    const { limit, cursor, ...filter } = inputOf(SliceCustomers, request)
    return sendSlice({ request, reply }, { limit, cursor }, (page) => listCustomers(ctx, { ...filter, ...page }))
  })

  app.get('/customers/:id', ALSO_A_SCREEN, async (request, reply) =>
    sendTagged(reply, await getCustomer(requireReader(request.context), inputOf(ById, request))),
  )

  app.get('/customers/:id/reminders', async (request) =>
    customerReminders(requireReader(request.context), inputOf(ById, request)),
  )

  app.post('/customers', async (request, reply) => {
    const input = inputOf(CreateCustomer, request, READ_ONLY)
    const customer = await asSubscriberOnce(request, (ctx) => createCustomer(ctx, input))
    return reply.code(201).send(customer)
  })

  app.put('/customers/:id', async (request, reply) => {
    const input = inputOf(UpdateCustomer, request, READ_ONLY)
    const ifVersion = ifMatch(request)
    return sendTagged(reply, await asSubscriber(request.context, (ctx) => updateCustomer(ctx, input, { ifVersion })))
  })

  app.delete('/customers/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeCustomer(ctx, input))
    return reply.code(204).send()
  })
}
