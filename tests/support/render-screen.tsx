import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode, type ReactNode } from 'react'
import { makeQueryClient } from '#client/api/query-client.ts'
import { TokenContext, type GetToken } from '#client/api/session-token.ts'
import { makeTrpcClient, trpc } from '#client/api/trpc.ts'
import { render } from './render.tsx'

/** Shows a screen with the app's own client of the server; what the server answers is the test's affair. */
export function renderScreen(screen: ReactNode, getToken: GetToken = signedIn) {
  const queryClient = makeQueryClient(() => {})
  return render(
    <trpc.Provider client={makeTrpcClient(signedIn)} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <TokenContext value={getToken}>{screen}</TokenContext>
      </QueryClientProvider>
    </trpc.Provider>,
  )
}

const signedIn = async () => 'token'

/** The same with a router around it, which shows it a moment later, and whatever may not run twice run twice. */
export function renderRouted(screen: ReactNode, getToken?: GetToken) {
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
      getToken,
    ),
  }
}
