import { createFileRoute, redirect } from '@tanstack/react-router'
import { isLive } from '#shared/domain/access.ts'
import { ReverificationProvider } from '#client/identity/reverification-provider.tsx'
import { LettersDue } from '#client/notices/letters-due.tsx'
import { YourData } from '#client/profile/your-data.tsx'
import { GateFailure } from '#client/shell/gate/gate-failure.tsx'

export const Route = createFileRoute('/your-data')({
  staticData: { title: 'Your data and account' },
  beforeLoad: async ({ context: { session, trpcUtils }, location }) => {
    if (!(await session.signedInPerson())) {
      redirect({ to: '/sign-in/$', params: { _splat: '' }, search: { redirect_url: location.href }, throw: true })
    }
    const subscription = await trpcUtils.billing.subscription.fetch()
    if (subscription.screens !== 'checkout') redirect({ to: '/profile', replace: true, throw: true })
    const { canExport, deletesAt, status } = subscription
    return { access: { canExport, deletesAt, isSubscribed: isLive(status) } }
  },
  loader: ({ context: { trpcUtils } }) => trpcUtils.identity.account.ensureData(),
  component: YourDataRoute,
  pendingMs: 0,
  errorComponent: GateFailure,
})

function YourDataRoute() {
  const { access } = Route.useRouteContext()
  const { email } = Route.useLoaderData()
  return (
    <ReverificationProvider>
      <YourData email={email} {...access} due={access.canExport && <LettersDue />} />
    </ReverificationProvider>
  )
}
