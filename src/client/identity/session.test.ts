import { beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import { RestFailure } from '#client/api/rest-failure.ts'
import { failureOf } from '#client/api/trpc.ts'
import { ADA, aProvider } from '#support/identity-provider.ts'
import { makeSession } from './session.ts'

function aSession() {
  const session = makeSession<{ id: string }>()
  const provider = aProvider()
  const changes = vi.fn()
  session.onPersonChange(changes)
  session.followClerk(provider)
  return { session, provider, changes }
}

let assign: MockInstance<Location['assign']>
beforeEach(() => {
  assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
})

test('who asks before the identity provider has answered waits for it', async () => {
  const { session, provider, changes } = aSession()
  const asked = session.signedInPerson()
  provider.tell(ADA)
  expect(await asked).toBe(ADA)
  expect(await session.signedInPerson()).toBe(ADA)
  expect(changes).not.toHaveBeenCalled()
})

test('on a page that is the shell alone the identity provider is needed at once', () => {
  const start = vi.fn()
  makeSession().onClerkRequested(start)
  expect(start).toHaveBeenCalledOnce()
})

test('without the identity provider there is no token, and nobody waits for one', async () => {
  expect(await makeSession().getToken()).toBeNull()
})

test('who is signed in, and gets no token all the same, is told so', async () => {
  const { session, provider } = aSession()
  provider.tell(ADA)
  expect(await session.getToken()).toBe('a-token')
  provider.session.getToken.mockResolvedValueOnce(null)
  await expect(session.getToken()).rejects.toThrow(RestFailure.withoutToken())
})

test('a change of who is there is told once, and what is between two sessions is not', () => {
  const { provider, changes } = aSession()
  provider.tell(null)
  provider.tell(undefined)
  provider.tell(ADA)
  provider.tell(ADA)
  expect(changes).toHaveBeenCalledTimes(1)
  provider.tell(null)
  expect(changes).toHaveBeenCalledTimes(2)
})

test('between two sessions the answer is waited for', async () => {
  const { session, provider } = aSession()
  provider.tell(null)
  provider.tell(undefined)
  const asked = session.signedInPerson()
  provider.tell(ADA)
  expect(await asked).toBe(ADA)
})

test('a session that the server does not accept is ended; where there is none, nothing is', async () => {
  const { session, provider, changes } = aSession()
  provider.tell(ADA)
  await session.end()
  await session.end()
  expect(provider.signOut).toHaveBeenCalledTimes(1)
  expect(changes).toHaveBeenCalledTimes(1)
})

test('signing out leaves the app without showing another of its screens first', async () => {
  const { session, provider, changes } = aSession()
  provider.tell(ADA)
  await session.leave('/')
  expect(assign).toHaveBeenCalledWith('/')
  expect(changes).not.toHaveBeenCalled()
})

test('who goes back after signing out does not find the screen as it was left', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const { session, provider } = aSession()
  provider.tell(ADA)
  await session.leave('/')
  expect(reload).not.toHaveBeenCalled()
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(reload).toHaveBeenCalled()
})

test('where signing out fails, one stays', async () => {
  const { session, provider } = aSession()
  provider.tell(ADA)
  provider.signOut.mockRejectedValueOnce(new Error('no answer'))
  await expect(session.leave('/')).rejects.toThrow('no answer')
  expect(assign).not.toHaveBeenCalled()
  expect(await session.signedInPerson()).toBe(ADA)
})

describe('on a page that was rendered for somebody', () => {
  const visitor = {
    id: ADA.id,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    tokenForMs: Number.POSITIVE_INFINITY,
    timeZone: 'UTC',
  }

  function aRenderedSession(changes: Partial<typeof visitor> = {}) {
    const session = makeSession<{ id: string }>({ ...visitor, ...changes })
    const provider = aProvider()
    const told = vi.fn()
    session.onPersonChange(told)
    return { session, provider, told }
  }

  beforeEach(() => {
    document.cookie = '__session=a-cookie-token'
    return () => {
      document.cookie = '__session=; max-age=0'
    }
  })

  test('they are there, and calls go with the token of the cookie, before the identity provider has answered', async () => {
    const { session } = aRenderedSession()
    expect(await session.signedInPerson()).toMatchObject({ id: ADA.id })
    expect(await session.getToken()).toBe('a-cookie-token')
  })

  test('once the identity provider has answered, its word and its token count', async () => {
    const { session, provider, told } = aRenderedSession()
    session.followClerk(provider)
    provider.tell(ADA)
    expect(await session.signedInPerson()).toBe(ADA)
    expect(await session.getToken()).toBe('a-token')
    expect(told).not.toHaveBeenCalled()
  })

  test('somebody else, or nobody, is a change', async () => {
    for (const other of [{ id: 'user_bob' }, null]) {
      const { session, provider, told } = aRenderedSession()
      session.followClerk(provider)
      provider.tell(other)
      expect(await session.signedInPerson()).toBe(other)
      expect(told).toHaveBeenCalledOnce()
    }
  })

  test('a token that runs out is not sent: the call waits for the identity provider', async () => {
    const { session, provider } = aRenderedSession({ tokenForMs: 1000 })
    const token = session.getToken()
    session.followClerk(provider)
    provider.tell(ADA)
    expect(await token).toBe('a-token')
  })

  test('nor is one that ran out while the device slept, for which a clock of the page may have stood still', async () => {
    const { session, provider } = aRenderedSession({ tokenForMs: 60_000 })
    vi.spyOn(performance, 'now').mockReturnValue(2000)
    vi.spyOn(Date, 'now').mockReturnValue(performance.timeOrigin + 58_000)
    const token = session.getToken()
    session.followClerk(provider)
    provider.tell(ADA)
    expect(await token).toBe('a-token')
  })

  test('a cookie that is gone makes the call wait as well', async () => {
    document.cookie = '__session=; max-age=0'
    const { session, provider } = aRenderedSession()
    const token = session.getToken()
    session.followClerk(provider)
    provider.tell(null)
    expect(await token).toBe('a-token')
  })

  test('the identity provider is asked for its word only once somebody needs it, and then once', async () => {
    const { session } = aRenderedSession()
    const start = vi.fn()
    session.onClerkRequested(start)
    await session.signedInPerson()
    await session.getToken()
    expect(start).not.toHaveBeenCalled()
    void session.leave('/')
    expect(start).toHaveBeenCalledOnce()
  })

  test('a need from before the identity provider could be asked is not forgotten', () => {
    const { session } = aRenderedSession({ tokenForMs: 1000 })
    void session.getToken()
    const start = vi.fn()
    session.onClerkRequested(start)
    expect(start).toHaveBeenCalledOnce()
  })

  test('where the identity provider cannot be started, what waits for it fails, and the next need tries again', async () => {
    const { session, provider } = aRenderedSession({ tokenForMs: 1000 })
    const start = vi.fn()
    session.onClerkRequested(start)
    const token = session.getToken()
    const left = session.leave('/')
    session.clerkFailed()
    const failure = await token.catch(failureOf)
    expect(failure).toMatchObject({ message: 'The sign-in service is not responding. Please try again' })
    await expect(left).rejects.toThrow('The sign-in service is not responding')
    expect(await session.signedInPerson()).toMatchObject({ id: ADA.id })
    expect(start).toHaveBeenCalledOnce()

    const later = session.getToken()
    expect(start).toHaveBeenCalledTimes(2)
    session.followClerk(provider)
    provider.tell(ADA)
    expect(await later).toBe('a-token')
  })

  test('leaving at once waits until there is a session to end', async () => {
    const { session, provider } = aRenderedSession()
    const left = session.leave('/')
    session.followClerk(provider)
    provider.tell(ADA)
    await left
    expect(provider.signOut).toHaveBeenCalledOnce()
    expect(assign).toHaveBeenCalledWith('/')
  })
})
