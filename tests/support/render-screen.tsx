import { QueryClientProvider } from '@tanstack/react-query'
import { configure } from '@testing-library/react'
import type { ReactNode } from 'react'
import { makeQueryClient } from '#client/query-client.ts'
import { makeTrpcClient, trpc } from '#client/trpc.ts'
import { render } from './render.tsx'

// A machine with much else to do takes longer than a second for a first screen.
configure({ asyncUtilTimeout: 4000 })

/** Shows a screen with the app's own client of the server; what the server answers is the test's affair. */
export function renderScreen(screen: ReactNode) {
  const queryClient = makeQueryClient(() => {})
  const client = makeTrpcClient(async () => 'token')
  return render(
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{screen}</QueryClientProvider>
    </trpc.Provider>,
  )
}
