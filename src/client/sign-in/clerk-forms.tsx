import { ClerkProvider } from '@clerk/clerk-react'
import type { ReactNode } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { CLERK_OPTIONS } from '#client/identity/clerk-script.ts'

/** Gives sign-in and sign-up forms the Clerk instance that is already running. */
export function ClerkForms({ children }: { children: ReactNode }) {
  const { data: config } = trpc.identity.config.useQuery(undefined, { staleTime: Infinity })
  if (!config) return null
  return (
    <ClerkProvider {...config} {...CLERK_OPTIONS} prefetchUI={false}>
      {children}
    </ClerkProvider>
  )
}
