import type { UserResource } from '@clerk/clerk-react/types'
import { RestFailure } from '#client/rest-failure.ts'

/** What is needed of the identity provider's client. */
interface Provider<Person> {
  session?: { id?: string; getToken(): Promise<string | null> } | null | undefined
  addListener(listener: (state: { user?: Person | null | undefined }) => void): () => void
  signOut(afterwards: () => void): Promise<void>
}

/** Who is signed in, for what runs outside components: the router and the calls to the server. */
export interface Session<Person = UserResource> {
  /** Waits until the identity provider has answered. */
  whoIsThere: () => Promise<Person | null>
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

export function makeSession<Person extends { id: string } = UserResource>(): Session<Person> {
  let provider: Provider<Person> | undefined
  let latest: Latest<Person> = { person: undefined }
  const watching = new Set<() => void>()
  let there: Person | null | undefined
  let lastId: string | null | undefined
  let ending = false
  let leaving = false
  let waiting: ((person: Person | null) => void)[] = []
  let tell = () => {}

  function settle(person: Person | null) {
    there = person
    for (const resolve of waiting) resolve(person)
    waiting = []
    const id = person?.id ?? null
    const changed = lastId !== undefined && id !== lastId
    lastId = id
    if (changed) tell()
  }

  return {
    whoIsThere: () => (there === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(there)),
    async getToken() {
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
        latest = { person: there }
        for (const listener of watching) listener()
      })
    },
    latest: () => latest,
    subscribe(listener) {
      watching.add(listener)
      return () => watching.delete(listener)
    },
    onChange: (listener) => void (tell = listener),
    async end() {
      if (ending || !there) return
      ending = true
      await provider?.signOut(stayHere).finally(() => (ending = false))
    },
    async leave(address) {
      leaving = true
      await provider?.signOut(stayHere).catch((error: unknown) => {
        leaving = false
        throw error
      })
      location.assign(address)
    },
  }
}

// Without a callback of ours Clerk would go to an address of its own.
function stayHere(): void {}
