import { createFileRoute } from '@tanstack/react-router'
import { usePerson } from '#client/identity/use-person.ts'
import { Profile } from '#client/profile/profile.tsx'

export const Route = createFileRoute('/_app/profile')({
  staticData: { title: 'Profile' },
  loader: ({ context: { trpcUtils } }) => trpcUtils.billing.subscription.ensureData(),
  component: ProfileRoute,
})

function ProfileRoute() {
  const { session } = Route.useRouteContext()
  const user = usePerson(session)
  return user && <Profile user={user} getToken={session.getToken} />
}
