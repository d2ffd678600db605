import type { UserResource } from '@clerk/clerk-react/types'
import type { Known } from '#shared/ahead.ts'
import { RestFailure } from '#client/rest-failure.ts'
import { earlyToken } from './early-token.ts'
import { makeStore } from './store.ts'

/** What is needed of the identity provider's client. */
interface Provider<Person> {
  session?: { id?: string; getToken(): Promise<string | null> } | null | undefined
  addListener(listener: (state: { user?: Person | null | undefined }) => void): () => void
  signOut(afterwards: () => void): Promise<void>
}

/** Who is signed in, for what runs outside components: the router and the calls to the server. */
export interface Session<Person = UserResource> {
  /** Waits until the identity provider has answered, unless the server has said. */
  whoIsThere: () => Promise<{ id: string } | null>
  /** Null before the identity provider has answered, and for a signed-out visitor. @throws RestFailure */
  getToken: () => Promise<string | null>
  /** Which of the person's sessions this browser has. */
  sessionId: () => string | undefined
  /** Takes the identity provider once it is there; the answer lets go of it again. */
  follow: (provider: Provider<Person>) => () => void
  /** For components: another object whenever something about the person has changed. */
  latest: () => Latest<Person>
  subscribe: (listener: () => void) => () => void
  /** Calls back whenever another person is there than before, or nobody any more. */
  onChange: (listener: () => void) => void
  /** Ends a session that the server does not accept; once, however many calls it refused. */
  end: () => Promise<void>
  /** Ends the session and leaves the app for an address outside it. */
  leave: (address: string) => Promise<void>
}

interface Latest<Person> {
  person: Person | null | undefined
}

/** `known` is who the page was rendered for: that person is there until the identity provider says otherwise. */
export function makeSession<Person extends { id: string } = UserResource>(known?: Known): Session<Person> {
  let provider: Provider<Person> | undefined
  const latest = makeStore<Latest<Person>>({ person: undefined })
  let there: Person | null | undefined
  let unsure = known
  let lastId: string | null | undefined = known?.id
  let ending = false
  let leaving = false
  let waiting: ((person: Person | null) => void)[] = []
  let tell = () => {}

  function settle(person: Person | null) {
    there = person
    unsure = undefined
    for (const resolve of waiting) resolve(person)
    waiting = []
    const id = person?.id ?? null
    if (lastId !== undefined && id !== lastId) tell()
    lastId = id
  }

  const provided = () =>
    there === undefined ? new Promise<Person | null>((resolve) => waiting.push(resolve)) : Promise.resolve(there)

  return {
    whoIsThere: async () => (there === undefined ? (unsure ?? provided()) : there),
    async getToken() {
      const early = unsure && earlyToken(unsure)
      if (early) return early
      if (unsure) await provided()
      const token = (await provider?.session?.getToken()) ?? null
      if (!token && there) throw RestFailure.withoutToken()
      return token
    },
    sessionId: () => provider?.session?.id,
    follow(given) {
      provider = given
      return given.addListener(({ user }) => {
        // Undefined while the provider exchanges one session for another, and on the way out of the app.
        there = leaving ? undefined : user
        if (there !== undefined) settle(there)
        latest.set({ person: there })
      })
    },
    latest: latest.get,
    subscribe: latest.subscribe,
    onChange: (listener) => void (tell = listener),
    async end() {
      if (ending || !there) return
      ending = true
      await provider?.signOut(stayHere).finally(() => (ending = false))
    },
    async leave(address) {
      if (unsure) await provided()
      leaving = true
      await provider?.signOut(stayHere).catch(rethrowAfter(() => (leaving = false)))
      location.assign(address)
    },
  }
}

function rethrowAfter(step: () => unknown): (error: unknown) => never {
  return (error) => {
    step()
    throw error
  }
}

// Without a callback of ours Clerk would go to an address of its own.
function stayHere(): void {}
