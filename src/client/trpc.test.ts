import { expect, test } from 'vitest'
import { aServer, noServer, refused } from '#support/wire.ts'
import { RestFailure } from './rest-failure.ts'
import { failureOf, isTransient, makeTrpcClient } from './trpc.ts'

const client = makeTrpcClient(async () => 'a-token')

async function failed(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('the call was answered'),
    (error: unknown) => error,
  )
}

test('a refusal carries its key, its words and what is wrong with each field', async () => {
  aServer({
    'customers.remove': () =>
      refused({ refusal: 'CUSTOMER_HAS_CONTRACTS', message: 'Cannot delete', fields: { id: 'Why' } }),
  })
  const error = await failed(client.customers.remove.mutate({ id: 1 }))
  expect(failureOf(error)).toEqual({
    message: 'Cannot delete',
    refusal: 'CUSTOMER_HAS_CONTRACTS',
    fields: { id: 'Why' },
    isNetwork: false,
  })
  expect(isTransient(error)).toBe(false)
})

test('no answer is a network error, and worth another try', async () => {
  noServer()
  const error = await failed(client.dashboard.get.query())
  expect(failureOf(error)).toMatchObject({ message: 'Network error', refusal: undefined, isNetwork: true })
  expect(isTransient(error)).toBe(true)
})

test('a fault of the server is worth another try, and is no network error', async () => {
  aServer({ 'dashboard.get': () => refused({ refusal: 'FAULT', message: 'Something went wrong' }) })
  const error = await failed(client.dashboard.get.query())
  expect(failureOf(error)).toMatchObject({ message: 'Something went wrong', isNetwork: false })
  expect(isTransient(error)).toBe(true)
})

test('a fault of our own says no more than that', () => {
  expect(failureOf(new Error('x is not a function')).message).toBe('Something went wrong')
})

test('calls that are made at once share one request, which carries the token', async () => {
  const server = aServer({ 'dashboard.get': () => 1, 'notifications.unreadCount': () => ({ count: 2 }) })
  await Promise.all([client.dashboard.get.query(), client.notifications.unreadCount.query()])
  expect(server.calls.map(({ authorization }) => authorization)).toEqual(['Bearer a-token', 'Bearer a-token'])
})

test('without a token the call is not made, and says so', async () => {
  const tokenless = makeTrpcClient(() => Promise.reject(RestFailure.withoutToken()))
  const error = await failed(tokenless.dashboard.get.query())
  expect(failureOf(error).message).toBe('Unable to get authentication token.')
  expect(isTransient(error)).toBe(false)
})
