import type { UserResource } from '@clerk/clerk-react/types'
import type { CookieVisitor } from '#shared/visitor.ts'
import { SCREEN_REFUSALS } from '#shared/refusals/screen.ts'
import { RestFailure } from '#client/api/rest-failure.ts'
import { onPageRestored } from '#client/browser/on-page-restored.ts'
import { cookieToken } from './cookies.ts'
import { makeLazyValue } from './lazy-value.ts'
import { makeStore } from './store.ts'

/** What is needed of the identity provider's client. */
interface Provider<Person> {
  session?: { id?: string; getToken(): Promise<string | null> } | null | undefined
  addListener(listener: (state: { user?: Person | null | undefined }) => void): () => void
  signOut(afterwards: () => void): Promise<void>
}

/** Who is signed in, for what runs outside components: the router and the calls to the server. */
export interface Session<Person = UserResource> {
  /** Waits until Clerk has answered, unless the server has said. */
  signedInPerson: () => Promise<{ id: string } | null>
  /** Null before Clerk has answered, and for a signed-out visitor. @throws RestFailure */
  getToken: () => Promise<string | null>
  /** Sets the person the page was rendered for, until Clerk says otherwise. */
  know: (known: CookieVisitor) => void
  /** Who the page was rendered for. */
  known: () => CookieVisitor | undefined
  /** Called when Clerk is first needed, which may be immediately, and again after `giveUp`. */
  onNeed: (start: () => void) => void
  /** Asks for Clerk. */
  need: () => void
  /** Clerk could not be started: calls that wait for it fail, and the next `need` tries again. */
  giveUp: () => void
  /** Waits for Clerk's own answer. @throws RestFailure if Clerk cannot be started */
  heard: () => Promise<Person | null>
  /** Which of the person's sessions this browser has. */
  sessionId: () => string | undefined
  /** Subscribes to Clerk once it has started. @returns a function that unsubscribes */
  follow: (provider: Provider<Person>) => () => void
  /** For components: another object whenever something about the person has changed. */
  latest: () => Latest<Person>
  subscribe: (listener: () => void) => () => void
  /** Called when another person has signed in, or the person has signed out. */
  onChange: (listener: () => void) => void
  /** Ends a session that the server does not accept. */
  end: () => Promise<void>
  /** Ends the session and leaves the app for an address outside it. */
  leave: (address: string) => Promise<void>
}

interface Latest<Person> {
  person: Person | null | undefined
}

export function makeSession<Person extends { id: string } = UserResource>(rendered?: CookieVisitor): Session<Person> {
  let provider: Provider<Person> | undefined
  const latest = makeStore<Latest<Person>>({ person: undefined })
  const provided = makeLazyValue<Person | null>({ isRequested: !rendered })
  let unsure = rendered
  let lastId: string | null | undefined = rendered?.id
  let leaving = false
  let tell = () => {}

  function settle(person: Person | null) {
    unsure = undefined
    const id = person?.id ?? null
    if (lastId !== undefined && id !== lastId) tell()
    lastId = id
  }

  return {
    know(visitor) {
      rendered = unsure = visitor
      lastId = visitor.id
      provided.cancelRequest()
    },
    known: () => rendered,
    need: provided.request,
    onNeed: provided.onRequest,
    signedInPerson: async () => (provided.current() === undefined && unsure ? unsure : provided.get()),
    async getToken() {
      const fromCookie = unsure && cookieToken(unsure)
      if (fromCookie) return fromCookie
      if (unsure) await provided.get()
      const token = (await provider?.session?.getToken()) ?? null
      if (!token && provided.current()) throw RestFailure.withoutToken()
      return token
    },
    giveUp: () => provided.fail(unavailable()),
    heard: provided.get,
    sessionId: () => provider?.session?.id,
    follow(clerk) {
      provider = clerk
      return clerk.addListener(({ user }) => {
        // Undefined while Clerk switches sessions, and while the browser leaves the app.
        const person = leaving ? undefined : user
        provided.set(person)
        if (person !== undefined) settle(person)
        latest.set({ person })
      })
    },
    latest: latest.get,
    subscribe: latest.subscribe,
    onChange: (listener) => void (tell = listener),
    end: async () => (provided.current() ? provider?.signOut(stayHere) : undefined),
    async leave(address) {
      if (unsure) await provided.get()
      leaving = true
      await provider?.signOut(stayHere).catch(rethrowAfter(() => (leaving = false)))
      leaveFor(address)
    },
  }
}

function unavailable(): RestFailure {
  return RestFailure.refusedHere('IDENTITY_UNAVAILABLE', SCREEN_REFUSALS.IDENTITY_UNAVAILABLE.message)
}

function rethrowAfter(step: () => unknown): (error: unknown) => never {
  return (error) => {
    step()
    throw error
  }
}

/** Going back reloads the app: the browser would show the screen as it was when the person was still signed in. */
function leaveFor(address: string): void {
  onPageRestored(() => location.reload())
  location.assign(address)
}

// Without a callback Clerk would navigate by itself.
function stayHere(): void {}
