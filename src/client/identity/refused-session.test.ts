import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { makeQueryClient } from '#client/api/query-client.ts'
import { makeTrpcClient, makeTrpcUtils } from '#client/api/trpc.ts'
import { ADA, aProvider } from '#support/identity-provider.ts'
import { aSubscription } from '#support/subscription.ts'
import { trpcServer } from '#support/trpc-server.ts'
import { makeRefusedSession } from './refused-session.ts'
import { makeSession } from './session.ts'

beforeEach(() => void (document.cookie = '__session=early'))
afterEach(() => void (document.cookie = '__session=; max-age=0'))

/** A page that was rendered for Ada, whose calls the server has refused. */
function aPage(subscription: () => ReturnType<typeof aSubscription>) {
  const server = trpcServer({ billing: { subscription } })
  const visitor = { ...ADA, name: 'Ada', email: 'ada@example.com', tokenForMs: 60_000, timeZone: 'UTC' }
  const session = makeSession<typeof ADA>(visitor)
  const provider = aProvider()
  const queryClient = makeQueryClient(() => {})
  const asksAgain = vi.spyOn(queryClient, 'invalidateQueries')
  const trpcClient = makeTrpcClient(session.getToken)
  const trpcUtils = makeTrpcUtils(trpcClient, queryClient)
  const refused = makeRefusedSession({ session, trpcClient, trpcUtils })
  return { server, session, provider, asksAgain, refused }
}

test('a session that the server does not accept is ended once, however many calls it refused', async () => {
  const { session, provider, refused, asksAgain } = aPage(() => {
    throw new AppError('NOT_SIGNED_IN')
  })
  session.followClerk(provider)
  provider.tell(ADA)
  await Promise.all([refused(), refused(), refused()])
  await refused()
  expect(provider.signOut).toHaveBeenCalledOnce()
  expect(asksAgain).not.toHaveBeenCalled()
})

test('the server is asked with a token of the provider, and a session that it accepts goes on', async () => {
  const { server, session, provider, refused, asksAgain } = aPage(() => aSubscription())
  const first = refused()
  session.followClerk(provider)
  provider.tell(ADA)
  await first
  // Another was on its way for longer.
  await refused()
  expect(server.calls.map(({ authorization }) => authorization)).toEqual(['Bearer a-token', 'Bearer a-token'])
  expect(asksAgain).toHaveBeenCalledTimes(2)
  expect(provider.signOut).not.toHaveBeenCalled()
})

test('where the server or the identity provider cannot be asked nothing is ended', async () => {
  const { server, session, provider, refused } = aPage(() => {
    throw new AppError('FAULT')
  })
  const unheard = refused()
  session.clerkFailed()
  await unheard
  expect(server.calls).toEqual([])
  session.followClerk(provider)
  provider.tell(ADA)
  await refused()
  expect(server.calls).toHaveLength(1)
  expect(provider.signOut).not.toHaveBeenCalled()
})
