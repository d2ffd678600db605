import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSignOut } from '#client/identity/session-context.tsx'
import { formatDate } from '#client/text/format.ts'
import { FrontCard } from '#client/ui/cards/front-card.tsx'
import { DataCard } from './data-card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'

interface YourDataProps {
  email: string
  /** False if there never was a subscription, and so nothing to export. */
  canExport: boolean
  /** There is a subscription all the same, whose first payment is not complete. */
  isSubscribed: boolean
  /** When the data of a subscription that has ended is deleted. */
  deletesAt: Date | null
  /** What has to be done in time all the same. */
  due?: ReactNode
}

/** Export, sign-out and deletion for somebody without a subscription, who cannot open the profile. */
export function YourData({ email, canExport, isSubscribed, deletesAt, due }: YourDataProps) {
  const { signOut, isSigningOut } = useSignOut()
  return (
    <FrontCard width={560} footer={<ToCheckout />}>
      <Stack gap="lg">
        <Title order={1} size="h2">
          Your data and account
        </Title>
        <Group justify="space-between" gap="sm">
          <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Signed in as <strong>{email}</strong>
          </Text>
          <Button variant="default" size="xs" loading={isSigningOut} onClick={signOut}>
            Sign Out
          </Button>
        </Group>
        {deletesAt && (
          <Text>
            Your subscription has ended. Everything in your account will be deleted after{' '}
            <strong>{formatDate(deletesAt)}</strong>. You can export it until then.
          </Text>
        )}
        {due}
        {canExport ? <DataCard /> : <Text c="dimmed">There is nothing to export yet.</Text>}
        <DeleteAccountCard canExport={canExport} isSubscribed={isSubscribed} />
      </Stack>
    </FrontCard>
  )
}

function ToCheckout() {
  return (
    <Anchor underline="always" renderRoot={(props) => <Link to="/checkout" search={BACK} {...props} />}>
      Back to checkout
    </Anchor>
  )
}

// Otherwise the payment page would open by itself.
const BACK = { trial: true, canceled: true }
