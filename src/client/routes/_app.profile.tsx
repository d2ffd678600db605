import { createFileRoute } from '@tanstack/react-router'
import { Profile } from '#client/profile/profile.tsx'

export const Route = createFileRoute('/_app/profile')({
  staticData: { title: 'Profile' },
  loader: ({ context: { trpcUtils } }) => trpcUtils.billing.subscription.ensureData(),
  component: Profile,
})
