import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode, type ReactNode } from 'react'
import { makeQueryClient } from '#client/api/query-client.ts'
import { makeTrpcClient, trpc } from '#client/api/trpc.ts'
import { SessionProvider } from '#client/identity/session-context.tsx'
import { makeSession, type Session } from '#client/identity/session.ts'
import { render } from './render.tsx'

/**
 * Shows a screen with the app's own client of the server; what the server answers is the test's affair. Somebody is
 * signed in; `session` changes parts of that.
 */
export function renderScreen(screen: ReactNode, session: Partial<Session> = {}) {
  const queryClient = makeQueryClient(() => {})
  return render(
    <trpc.Provider client={makeTrpcClient(signedIn)} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <SessionProvider session={{ ...makeSession(), getToken: signedIn, ...session }}>{screen}</SessionProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  )
}

const signedIn = async () => 'token'

/** The session of somebody of whom Clerk has this record, as far as a test needs it. */
export function sessionOf(record: object): Partial<Session> {
  const latest = { person: { ...JSON.parse('{}'), ...record } }
  return { latest: () => latest }
}

/** The same with a router around it, which shows it a moment later, and whatever may not run twice run twice. */
export function renderRouted(screen: ReactNode, session?: Partial<Session>) {
  const root = createRootRoute()
  const anywhere = createRoute({ getParentRoute: () => root, path: '$', component: () => screen })
  const history = createMemoryHistory({ initialEntries: ['/here'] })
  const router = createRouter({ routeTree: root.addChildren([anywhere]), history })
  return {
    /** Where a screen has led to. */
    address: () => router.history.location.href,
    ...renderScreen(
      <StrictMode>
        <RouterProvider<typeof router> router={router} />
      </StrictMode>,
      session,
    ),
  }
}
