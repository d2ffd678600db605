import { SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageHeader } from '#client/ui/page-header.tsx'
import { ApiKeysCard } from './api-keys/api-keys-card.tsx'
import { DataCard } from './data-card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SettingsCards } from './settings-cards.tsx'
import { TimeZoneCard } from './time-zone-card.tsx'

/** `importing` is the import of another account's archive. */
export function Profile({ importing }: { importing?: ReactNode }) {
  return (
    <Stack gap="lg">
      <PageHeader title="Profile" description="Your account, your plan, and your settings" />
      <SimpleGrid cols={TWO} spacing="lg">
        <ProfileCard />
        <PlanCard />
      </SimpleGrid>
      <SettingsCards />
      <TimeZoneCard />
      <ApiKeysCard />
      <SimpleGrid cols={TWO} spacing="lg">
        <DataCard importing={importing} />
        <DeleteAccountCard canExport isSubscribed />
      </SimpleGrid>
    </Stack>
  )
}

const TWO = { base: 1, md: 2 }
