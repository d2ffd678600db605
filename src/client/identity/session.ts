import type { UserResource } from '@clerk/clerk-react/types'
import type { CookieVisitor } from '#shared/visitor.ts'
import { SCREEN_REFUSALS } from '#shared/refusals/screen.ts'
import { RestFailure } from '#client/api/rest-failure.ts'
import { onPageRestored } from '#client/browser/on-page-restored.ts'
import { cookieToken } from './cookies.ts'
import { makeLazyValue } from './lazy-value.ts'
import { makeStore } from './store.ts'

/** What is needed of Clerk's client. */
interface Clerk<Person> {
  session?: { id?: string; getToken(): Promise<string | null> } | null | undefined
  addListener(listener: (state: { user?: Person | null | undefined }) => void): () => void
  signOut(afterwards: () => void): Promise<void>
}

/** Who is signed in, for what runs outside components: the router and the calls to the server. */
export interface Session<Person = UserResource> {
  /** Whom the page was rendered for, until Clerk has loaded; without such a page, waits for Clerk. */
  signedInPerson: () => Promise<{ id: string } | null>
  /** Null before Clerk has loaded, and for a signed-out visitor. @throws RestFailure */
  getToken: () => Promise<string | null>
  /** Whom the page was rendered for. */
  visitor: () => CookieVisitor | undefined
  setVisitor: (visitor: CookieVisitor) => void
  /** Has Clerk loaded, if it is not loading already. */
  requestClerk: () => void
  /** Called at the first request, which may be immediately, and at the first one after `clerkFailed`. */
  onClerkRequested: (start: () => void) => void
  /** Clerk could not be loaded: calls that wait for it fail, and the next request tries again. */
  clerkFailed: () => void
  /** Clerk's record of the signed-in person, once it has loaded. @throws RestFailure if it cannot be loaded */
  clerkPerson: () => Promise<Person | null>
  /** Subscribes to Clerk once it has loaded. @returns a function that unsubscribes */
  followClerk: (clerk: Clerk<Person>) => () => void
  /** Which of the person's sessions this browser has. */
  sessionId: () => string | undefined
  /** For components: another object whenever something about the person has changed. */
  latest: () => Latest<Person>
  subscribe: (listener: () => void) => () => void
  /** Called when another person has signed in, or the person has signed out. */
  onPersonChange: (listener: () => void) => void
  /** Ends a session that the server does not accept. */
  end: () => Promise<void>
  /** Ends the session and goes to an address outside the app. */
  leave: (address: string) => Promise<void>
}

interface Latest<Person> {
  person: Person | null | undefined
}

export function makeSession<Person extends { id: string } = UserResource>(rendered?: CookieVisitor): Session<Person> {
  let clerk: Clerk<Person> | undefined
  const latest = makeStore<Latest<Person>>({ person: undefined })
  const clerkPerson = makeLazyValue<Person | null>({ isRequested: !rendered })
  /** Until Clerk confirms or replaces them. */
  let unconfirmed = rendered
  let lastId: string | null | undefined = rendered?.id
  let isLeaving = false
  let notifyOfChange = () => {}

  function confirmPerson(person: Person | null) {
    unconfirmed = undefined
    const id = person?.id ?? null
    if (lastId !== undefined && id !== lastId) notifyOfChange()
    lastId = id
  }

  return {
    visitor: () => rendered,
    setVisitor(visitor) {
      rendered = unconfirmed = visitor
      lastId = visitor.id
      clerkPerson.cancelRequest()
    },
    signedInPerson: async () => (clerkPerson.current() === undefined && unconfirmed ? unconfirmed : clerkPerson.get()),
    async getToken() {
      const fromCookie = unconfirmed && cookieToken(unconfirmed)
      if (fromCookie) return fromCookie
      if (unconfirmed) await clerkPerson.get()
      const token = (await clerk?.session?.getToken()) ?? null
      if (!token && clerkPerson.current()) throw RestFailure.withoutToken()
      return token
    },
    requestClerk: clerkPerson.request,
    onClerkRequested: clerkPerson.onRequest,
    clerkFailed: () => clerkPerson.fail(unavailable()),
    clerkPerson: clerkPerson.get,
    followClerk(loaded) {
      clerk = loaded
      return loaded.addListener(({ user }) => {
        // Undefined while Clerk switches sessions, and while the browser leaves the app.
        const person = isLeaving ? undefined : user
        clerkPerson.set(person)
        if (person !== undefined) confirmPerson(person)
        latest.set({ person })
      })
    },
    sessionId: () => clerk?.session?.id,
    latest: latest.get,
    subscribe: latest.subscribe,
    onPersonChange: (listener) => void (notifyOfChange = listener),
    end: async () => (clerkPerson.current() ? clerk?.signOut(stayHere) : undefined),
    async leave(address) {
      if (unconfirmed) await clerkPerson.get()
      isLeaving = true
      await clerk?.signOut(stayHere).catch(rethrowAfter(() => (isLeaving = false)))
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
