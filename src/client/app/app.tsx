import './mantine-styles.ts'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { IdentityProvider } from '#client/identity/identity-provider.tsx'
import { SessionProvider } from '#client/identity/session-context.tsx'
import type { Session } from '#client/identity/session.ts'
import type { AppRouterInstance } from './router.tsx'
import { cssVariablesResolver, theme } from './theme.ts'
import { trpc, type TrpcClient } from '#client/api/trpc.ts'
import { AppErrorBoundary } from '#client/ui/app-error-boundary.tsx'
import { Toasts } from '#client/ui/toasts/toasts.tsx'

interface AppProps {
  router: AppRouterInstance
  session: Session
  queryClient: QueryClient
  trpcClient: TrpcClient
  /** The nonce that the page's content security policy requires of styles. */
  nonce: string | undefined
}

export function App({ router, session, queryClient, trpcClient, nonce }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      {...(nonce && { getStyleNonce: () => nonce })}
    >
      <AppErrorBoundary>
        <trpc.Provider client={trpcClient} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <SessionProvider session={session}>
              <IdentityProvider>
                <RouterProvider router={router} />
              </IdentityProvider>
            </SessionProvider>
          </QueryClientProvider>
        </trpc.Provider>
      </AppErrorBoundary>
      <Toasts />
    </MantineProvider>
  )
}
