import { useUser } from '@clerk/clerk-react'
import { SimpleGrid, Stack } from '@mantine/core'
import { PageHeader } from '#client/ui/page-header.tsx'
import { PlanCard } from './plan-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SettingsCards } from './settings-cards.tsx'

export function Profile() {
  const { user } = useUser()
  if (!user) return null
  return (
    <Stack gap="lg">
      <PageHeader title="Profile" description="Your account, your plan and your settings" />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ProfileCard user={user} />
        <PlanCard />
      </SimpleGrid>
      <SettingsCards />
    </Stack>
  )
}
