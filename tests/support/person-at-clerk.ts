import { createClerkClient } from '@clerk/fastify'
import Fastify from 'fastify'

/** Clerk's Backend API, as far as one person goes, whose address may change. */
export async function aClerk(answer: () => { email: string; names?: object; status?: string } | undefined) {
  const app = Fastify()
  let asked = 0
  app.get<{ Params: { id: string } }>('/v1/users/:id', async ({ params: { id } }, reply) => {
    asked += 1
    const now = answer()
    if (!now) return reply.code(503).send()
    const verification = { status: now.status ?? 'verified', strategy: 'email_code', attempts: null, expire_at: null }
    const email_addresses = [{ id: 'idn_1', email_address: now.email, linked_to: [], verification }]
    const user = { object: 'user', id, primary_email_address_id: 'idn_1', email_addresses, ...now.names }
    // Clerk's SDK reads JSON under exactly this name alone.
    return reply.type('application/json').serializer(JSON.stringify).send(user)
  })
  app.addHook('onSend', async (_request, reply) => void reply.header('content-type', 'application/json'))
  const apiUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const clerk = createClerkClient({ secretKey: 'sk_test_here', apiUrl, telemetry: { disabled: true } })
  return { clerk, asked: () => asked, [Symbol.asyncDispose]: () => app.close() }
}
