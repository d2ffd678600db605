import type { UserResource } from '@clerk/clerk-react/types'
import { SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { PageHeader } from '#client/ui/page-header.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

interface SecurityProps {
  user: UserResource
  /** Which of the person's sessions this browser has. */
  sessionId: string | undefined
  /** Ways to other pages. */
  children: ReactNode
}

/** How the person signs in, and where they are signed in. */
export function Security({ user, sessionId, children }: SecurityProps) {
  const utils = trpc.useUtils()
  return (
    <Stack gap="lg">
      <PageHeader title="Security" description="Your password, two-factor sign-in, and signed-in browsers">
        {children}
      </PageHeader>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <PasswordCard user={user} onChanged={() => void utils.identity.sessions.invalidate()} />
        <TwoFactorCard user={user} />
      </SimpleGrid>
      <SessionsCard current={sessionId} />
    </Stack>
  )
}
