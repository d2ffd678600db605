import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClerkClient } from '@clerk/fastify'
import { expect, onTestFinished, test } from 'vitest'
import { MOST_FAILURES, ServiceAway } from './circuit.ts'
import { clerkCircuit, guardClerk } from './clerk.ts'

/** Clerk's API, which answers with this status, or never. */
async function aClerk(status?: number) {
  const server = createServer((_request, response) => {
    if (status === undefined) return
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"errors":[{"code":"no"}]}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const apiUrl = `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`
  const circuit = clerkCircuit(status === undefined ? 20 : 10_000)
  const client = createClerkClient({ secretKey: 'sk_test_nobody', apiUrl, telemetry: { disabled: true } })
  return { circuit, clerk: guardClerk(client, circuit) }
}

test('no call of an API that never answers is waited for', async () => {
  const { clerk, circuit } = await aClerk()
  const calls = [
    clerk.users.getUser('user_1'),
    clerk.users.deleteUser('user_1'),
    clerk.sessions.getSessionList({ userId: 'user_1' }),
    clerk.sessions.revokeSession('sess_1'),
    clerk.users.getUser('user_2'),
  ]
  for (const call of calls) await expect(call).rejects.toThrow('clerk has not answered within 20 ms')
  expect(calls).toHaveLength(MOST_FAILURES)
  expect(circuit.isOpen()).toBe(true)
  await expect(clerk.users.getUser('user_1')).rejects.toThrow(ServiceAway)
})

test.each([
  { status: 404, isOpen: false },
  { status: 429, isOpen: false },
  { status: 503, isOpen: true },
])('an API that answers $status several times is away: $isOpen', async ({ status, isOpen }) => {
  const { clerk, circuit } = await aClerk(status)
  for (let time = 0; time < MOST_FAILURES; time += 1)
    await expect(clerk.users.getUser('user_1')).rejects.toMatchObject({ status })
  expect(circuit.isOpen()).toBe(isOpen)
})
