import type { FastifyInstance } from 'fastify'
import { AddContact, ChangeContact, MakeFirst } from '#shared/schemas/customer-contacts.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import type { ContactView } from '#server/contacts/contact.view.ts'
import { addContact, changeContact, listContacts, makeFirst, removeContact } from '#server/contacts/contacts.service.ts'
import { clearContactBounce } from '#server/deliverability/bounces.service.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'
import { ifMatch, sendTagged } from './answers/entity-tag.ts'

/** Fields of a contact in responses that no request can change. */
const READ_ONLY = Object.keys({ customerId: 1, isFirst: 1, mailClosed: 1, bounce: 1, version: 1 } satisfies Record<
  Exclude<keyof ContactView, keyof ChangeContact>,
  1
>)

export async function contactRoutes(app: FastifyInstance) {
  app.get('/customers/:id/contacts', async (request) =>
    listContacts(requireReader(request.context), inputOf(ById, request)),
  )

  app.post('/customers/:id/contacts', async (request, reply) => {
    const input = inputOf(AddContact, request, READ_ONLY)
    return reply.code(201).send(await asSubscriberOnce(request, (ctx) => addContact(ctx, input)))
  })

  app.put('/contacts/:id', async (request, reply) => {
    const input = inputOf(ChangeContact, request, READ_ONLY)
    const ifVersion = ifMatch(request)
    return sendTagged(reply, await asSubscriber(request.context, (ctx) => changeContact(ctx, input, { ifVersion })))
  })

  app.post('/contacts/:id/first', async (request) => {
    const input = inputOf(MakeFirst, request)
    return asSubscriberOnce(request, (ctx) => makeFirst(ctx, input))
  })

  app.delete('/contacts/:id/bounce', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => clearContactBounce(ctx, input))
    return reply.code(204).send()
  })

  app.delete('/contacts/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    const ifVersion = ifMatch(request)
    await asSubscriber(request.context, (ctx) => removeContact(ctx, input, { ifVersion }))
    return reply.code(204).send()
  })
}
