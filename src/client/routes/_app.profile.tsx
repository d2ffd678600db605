import { createFileRoute } from '@tanstack/react-router'
import { ReverificationProvider } from '#client/identity/reverification-provider.tsx'
import { usePerson } from '#client/identity/session-context.tsx'
import { ArchiveButton } from '#client/imports/archive-button.tsx'
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
      // A bounce is shown above other controls, which must not move afterward.
      reminders.ownBounce.prefetch(),
      preload || session.clerkPerson(),
    ])
  },
  component: ProfileRoute,
})

function ProfileRoute() {
  if (!usePerson()) return <LoadingScreen />
  return (
    <ReverificationProvider>
      <Profile importing={<ArchiveButton />} />
    </ReverificationProvider>
  )
}
