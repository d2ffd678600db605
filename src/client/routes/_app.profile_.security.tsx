import { Button } from '@mantine/core'
import { createFileRoute, Link } from '@tanstack/react-router'
import { ReverificationProvider } from '#client/identity/reverification-provider.tsx'
import { Security } from '#client/security/security.tsx'
import { usePerson } from '#client/identity/session-context.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'

export const Route = createFileRoute('/_app/profile_/security')({
  staticData: { title: 'Security' },
  loader: ({ context: { session, trpcUtils }, preload }) => {
    // Not awaited, since the server has to ask Clerk.
    void trpcUtils.identity.sessions.prefetch()
    return preload || session.clerkPerson()
  },
  component: SecurityRoute,
})

function SecurityRoute() {
  if (!usePerson()) return <LoadingScreen />
  return (
    <ReverificationProvider>
      <Security>
        <Button variant="default" renderRoot={(props) => <Link to="/profile" {...props} />}>
          Profile
        </Button>
      </Security>
    </ReverificationProvider>
  )
}
