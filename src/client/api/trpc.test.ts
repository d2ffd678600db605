import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aDashboard } from '#support/records.ts'
import { noServer, trpcServer } from '#support/trpc-server.ts'
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
  const refusal = new AppError('INPUT_INVALID', { details: { fields: { id: 'Why' } } })
  trpcServer({ customers: { remove: () => Promise.reject(refusal) } })
  const error = await failed(client.customers.remove.mutate({ id: 1 }))
  expect(failureOf(error)).toEqual({
    message: 'The request is not valid',
    refusal: 'INPUT_INVALID',
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
  trpcServer({ dashboard: { get: () => Promise.reject(new AppError('FAULT')) } })
  const error = await failed(client.dashboard.get.query())
  expect(failureOf(error)).toMatchObject({ message: 'Something went wrong', isNetwork: false })
  expect(isTransient(error)).toBe(true)
})

test('a sign-in service that does not answer is worth another try', async () => {
  trpcServer({ dashboard: { get: () => Promise.reject(new AppError('IDENTITY_UNAVAILABLE')) } })
  expect(isTransient(await failed(client.dashboard.get.query()))).toBe(true)
})

test('a fault of our own says no more than that', () => {
  expect(failureOf(new Error('x is not a function')).message).toBe('Something went wrong')
})

test('calls that are made at once share one request, which carries the token', async () => {
  const server = trpcServer({
    dashboard: { get: () => aDashboard() },
    notifications: { unreadCount: () => ({ count: 2 }) },
  })
  await Promise.all([client.dashboard.get.query(), client.notifications.unreadCount.query()])
  expect(server.calls.map(({ authorization }) => authorization)).toEqual(['Bearer a-token', 'Bearer a-token'])
})

test('without a token the call is not made, and says so', async () => {
  const tokenless = makeTrpcClient(() => Promise.reject(RestFailure.withoutToken()))
  const error = await failed(tokenless.dashboard.get.query())
  expect(failureOf(error).message).toBe('Unable to get authentication token')
  expect(isTransient(error)).toBe(false)
})
