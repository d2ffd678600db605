import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RestFailure } from '#client/api/rest-failure.ts'
import { makeTrpcClient } from '#client/api/trpc.ts'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { noServer, trpcServer } from '#support/trpc-server.ts'
import { GateFailure } from './gate-failure.tsx'

async function failureOf(getToken = async () => 'token'): Promise<Error> {
  const asked = makeTrpcClient(getToken).billing.subscription.query()
  return asked.then(
    () => expect.fail('the call was answered'),
    (error: Error) => error,
  )
}

test.each([
  [
    'Failed to fetch subscription status',
    () => {
      trpcServer({ billing: { subscription: () => Promise.reject(new AppError('FAULT')) } })
      return failureOf()
    },
  ],
  [
    'Error fetching subscription',
    () => {
      noServer()
      return failureOf()
    },
  ],
  ['Unable to get authentication token', () => failureOf(() => Promise.reject(RestFailure.withoutToken()))],
])('where the subscription is not known the screen says "%s", with a Retry', async (text, fail) => {
  renderRouted(<GateFailure error={await fail()} reset={() => {}} />)
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(screen.getByRole('button', { name: 'Retry' })).toBeEnabled()
})
