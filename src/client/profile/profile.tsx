import type { UserResource } from '@clerk/clerk-react/types'
import { SimpleGrid, Stack } from '@mantine/core'
import type { GetToken } from '#client/rest-address.ts'
import { PageHeader } from '#client/ui/page-header.tsx'
import { DataCard } from './data-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SettingsCards } from './settings-cards.tsx'

interface ProfileProps {
  user: UserResource
  getToken: GetToken
}

export function Profile({ user, getToken }: ProfileProps) {
  return (
    <Stack gap="lg">
      <PageHeader title="Profile" description="Your account, your plan and your settings" />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ProfileCard user={user} />
        <PlanCard />
      </SimpleGrid>
      <SettingsCards />
      <DataCard getToken={getToken} />
    </Stack>
  )
}
