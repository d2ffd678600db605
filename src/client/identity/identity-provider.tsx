import { ClerkProvider, useClerk } from '@clerk/clerk-react'
import { Container } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { REFUSALS } from '#shared/errors.ts'
import { failureOf, trpc } from '#client/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import type { Session } from './session.ts'
import { useBrowserTimeZone } from './use-browser-time-zone.ts'

interface IdentityProviderProps {
  session: Session
  children: ReactNode
}

/** Starts the identity provider as the server says, and lets `session` follow who is signed in. */
export function IdentityProvider({ session, children }: IdentityProviderProps) {
  const { data: config, error, refetch, isFetching } = trpc.identity.config.useQuery(undefined, { staleTime: Infinity })
  if (config) {
    return (
      <ClerkProvider {...config} {...OPTIONS} unsafe_disableDevelopmentModeConsoleWarning={isStandin(config)}>
        <Followed session={session}>{children}</Followed>
      </ClerkProvider>
    )
  }
  if (error) return <Failed message={failureOf(error).message} retrying={isFetching} onRetry={() => void refetch()} />
  return <LoadingScreen />
}

// The forms are ours, so the provider's own are not fetched.
const OPTIONS = { prefetchUI: false, telemetry: false, signInUrl: '/sign-in', signUpUrl: '/sign-up' } as const

// Its key looks like one for development, of which the provider's script would warn on every page.
function isStandin({ proxyUrl }: { proxyUrl?: string }): boolean {
  return proxyUrl !== undefined
}

function Followed({ session, children }: IdentityProviderProps) {
  const clerk = useClerk()
  useEffect(() => session.follow(clerk), [session, clerk])
  useBrowserTimeZone()
  if (clerk.status !== 'error') return children
  return <Failed message={REFUSALS.IDENTITY_UNAVAILABLE.message} onRetry={() => location.reload()} />
}

function Failed(props: Parameters<typeof ErrorState>[0]) {
  return (
    <Container size="xs" py="xl">
      <ErrorState {...props} />
    </Container>
  )
}
