import { vi } from 'vitest'

export const ADA = { id: 'user_ada' }

/** The identity provider as far as a session sees it: `tell` says who is signed in. */
export function aProvider() {
  let listener: (state: { user?: { id: string } | null }) => void = () => {}
  const signOut = vi.fn(async (afterwards: () => void) => {
    afterwards()
    listener({ user: null })
  })
  return {
    session: { getToken: vi.fn(async (): Promise<string | null> => 'a-token') },
    signOut,
    addListener(given: typeof listener) {
      listener = given
      return () => {}
    },
    tell: (user: { id: string } | null | undefined) => listener(user === undefined ? {} : { user }),
  }
}
