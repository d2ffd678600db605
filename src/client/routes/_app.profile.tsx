import { createFileRoute } from '@tanstack/react-router'
import { leaveDeleted } from '#client/identity/leave-deleted.ts'
import { ReverificationProvider } from '#client/identity/reverification-provider.tsx'
import { usePerson } from '#client/identity/use-person.ts'
import { Profile } from '#client/profile/profile.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'

export const Route = createFileRoute('/_app/profile')({
  staticData: { title: 'Profile' },
  loader: ({ context: { session, trpcUtils }, preload }) => {
    const { billing, identity, reminders } = trpcUtils
    return Promise.all([
      billing.subscription.ensureData(),
      identity.account.ensureData(),
      identity.apiKeys.ensureData(),
      // A bounce is shown above other controls, which must not move afterwards.
      reminders.ownBounce.prefetch(),
      preload || session.heard(),
    ])
  },
  component: ProfileRoute,
})

function ProfileRoute() {
  const { session } = Route.useRouteContext()
  const user = usePerson(session)
  if (!user) return <LoadingScreen />
  return (
    <ReverificationProvider session={session}>
      <Profile user={user} onDeleted={() => void leaveDeleted(session)} />
    </ReverificationProvider>
  )
}
