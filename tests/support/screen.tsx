import { QueryClientProvider } from '@tanstack/react-query'
import { configure } from '@testing-library/react'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode, type ReactNode } from 'react'
import { makeQueryClient } from '#client/query-client.ts'
import { makeTrpcClient, trpc } from '#client/trpc.ts'
import { render } from './render.tsx'

// A machine with much else to do takes longer than a second for a first screen.
configure({ asyncUtilTimeout: 5000 })

/** Shows a screen with a router around it and a client that asks whatever `aServer` has put behind `fetch`. */
export function renderScreen(screen: ReactNode) {
  const queryClient = makeQueryClient(() => {})
  const root = createRootRoute()
  const anywhere = createRoute({ getParentRoute: () => root, path: '$', component: () => screen })
  const history = createMemoryHistory({ initialEntries: ['/here'] })
  const router = createRouter({ routeTree: root.addChildren([anywhere]), history })
  return {
    /** Where a screen has led to. */
    address: () => router.history.location.href,
    ...render(
      <StrictMode>
        <trpc.Provider client={makeTrpcClient(async () => 'token')} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider<typeof router> router={router} />
          </QueryClientProvider>
        </trpc.Provider>
      </StrictMode>,
    ),
  }
}
