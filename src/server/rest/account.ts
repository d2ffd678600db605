import type { FastifyInstance } from 'fastify'
import { CreateApiKey, DeleteAccount, SetTimeZone } from '#shared/schemas/accounts.ts'
import { ById } from '#shared/schemas/fields.ts'
import { requireAccount } from '#server/context.ts'
import { deleteAccount } from '#server/deletion/delete-account.service.ts'
import { getAccount, setTimeZone, type AccountView } from '#server/identity/accounts.service.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '#server/identity/api-keys.service.ts'
import { companyRoutes } from './company.ts'
import { answerError } from './answers/errors.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'

/** Fields of an account in responses that no request here can change. */
const READ_ONLY = Object.keys({ email: 1 } satisfies Record<Exclude<keyof AccountView, keyof SetTimeZone>, 1>)

/** The account, which its owner reaches whatever the status of the subscription. */
export async function accountRoutes(app: FastifyInstance) {
  app.setErrorHandler(answerError)
  app.addHook('onRequest', async ({ context }) => void requireAccount(context))

  app.get('/account', async ({ context }) => getAccount(requireAccount(context)))

  app.put('/account/time-zone', async (request, reply) => {
    await setTimeZone(requireAccount(request.context), inputOf(SetTimeZone, request, READ_ONLY))
    return reply.code(204).send()
  })

  app.delete('/account', async (request, reply) => {
    await deleteAccount(requireAccount(request.context), inputOf(DeleteAccount, request))
    return reply.code(204).send()
  })

  await app.register(companyRoutes)

  app.get('/api-keys', async ({ context }) => listApiKeys(requireAccount(context)))

  app.post('/api-keys', async (request, reply) => {
    const input = inputOf(CreateApiKey, request)
    const made = await asSubscriberOnce(request, (ctx) => createApiKey(ctx, input), { isSecret: true })
    return reply.code(201).send(made)
  })

  app.delete('/api-keys/:id', async (request, reply) => {
    await revokeApiKey(requireAccount(request.context), inputOf(ById, request))
    return reply.code(204).send()
  })
}
