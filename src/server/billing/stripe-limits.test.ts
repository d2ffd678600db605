import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { MOST_FAILURES } from '#server/outside/circuit.ts'
import { openStripe, stripeCircuit } from './stripe.ts'

/** Stripe's API, which answers with this status, breaks the connection, or never answers. */
async function aStripe(status?: number | 'broken') {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (status === 'broken') request.socket.destroy()
    else if (status !== undefined)
      response.writeHead(status, { 'stripe-should-retry': 'false' }).end('{"error":{"message":"no"}}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const circuit = stripeCircuit(status === undefined ? 20 : 10_000)
  const port = Number(Reflect.get(Object(server.address()), 'port'))
  const api = { host: '127.0.0.1', port, protocol: 'http' } as const
  return { stripe: openStripe({ secretKey: 'sk_test_nobody', api }, circuit), circuit, keys }
}

test('a call that is not answered in time is given up', async () => {
  const { stripe, keys } = await aStripe()
  await expect(stripe.customers.create({})).rejects.toMatchObject({ message: expect.stringContaining('within 20 ms') })
  // On a slow machine it has not even arrived.
  expect(keys.length).toBeLessThan(2)
})

test('a call whose connection breaks is made once more, with the same Idempotency-Key', async () => {
  const { stripe, keys } = await aStripe('broken')
  await expect(stripe.customers.create({})).rejects.toMatchObject({ type: 'StripeConnectionError' })
  expect(keys).toEqual([expect.any(String), keys[0]])
})

test.each([
  { status: 400, isOpen: false },
  { status: 500, isOpen: true },
])('an API that answers $status several times is away: $isOpen', async ({ status, isOpen }) => {
  const { stripe, circuit, keys } = await aStripe(status)
  for (let time = 0; time < MOST_FAILURES; time += 1)
    await expect(stripe.customers.retrieve('cus_1')).rejects.toThrow('no')
  expect(circuit.isOpen()).toBe(isOpen)
  const type = isOpen ? 'StripeAPIError' : 'StripeInvalidRequestError'
  await expect(stripe.customers.retrieve('cus_1')).rejects.toMatchObject({ type })
  expect(keys).toHaveLength(isOpen ? MOST_FAILURES : MOST_FAILURES + 1)
})
