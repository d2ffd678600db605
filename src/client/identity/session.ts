/** What is needed of the identity provider's client. */
interface Provider {
  session?: { getToken(): Promise<string | null> } | null | undefined
  addListener(listener: (state: { user?: Person | null | undefined }) => void): () => void
  signOut(afterwards: () => void): Promise<void>
}

interface Person {
  id: string
}

/** Who is signed in, for what runs outside components: the router and the calls to the server. */
export interface Session {
  /** Waits until the identity provider has answered. */
  whoIsThere: () => Promise<Person | null>
  /** Null before the identity provider has answered, and for a signed-out visitor. */
  getToken: () => Promise<string | null>
  /** Takes the identity provider once it is there; the answer lets go of it again. */
  follow: (provider: Provider) => () => void
  /** Calls back whenever another person is there than before, or nobody any more. */
  onChange: (listener: () => void) => void
  /** Ends a session that the server does not accept; once, however many calls it refused. */
  end: () => Promise<void>
  /** Ends the session and leaves the app for an address outside it. */
  leave: (address: string) => Promise<void>
}

export function makeSession(): Session {
  let provider: Provider | undefined
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
    getToken: async () => (await provider?.session?.getToken()) ?? null,
    follow(given) {
      provider = given
      return given.addListener(({ user }) => {
        // Undefined while the provider exchanges one session for another, and on the way out of the app.
        there = leaving ? undefined : user
        if (there !== undefined) settle(there)
      })
    },
    onChange(listener) {
      tell = listener
    },
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
