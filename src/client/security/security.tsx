import { SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { PageHeader } from '#client/ui/page-header.tsx'
import { AddressCard } from './address-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** How the person signs in, and where they are signed in. `children` are links to other screens. */
export function Security({ children }: { children: ReactNode }) {
  const utils = trpc.useUtils()
  return (
    <Stack gap="lg">
      <PageHeader
        title="Security"
        description="Your password, two-factor sign-in, email address, and signed-in browsers"
      >
        {children}
      </PageHeader>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <PasswordCard onChanged={() => void utils.identity.sessions.invalidate()} />
        <TwoFactorCard />
      </SimpleGrid>
      <AddressCard />
      <SessionsCard />
    </Stack>
  )
}
