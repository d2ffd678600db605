import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FrontCard } from '#client/ui/front-card.tsx'
import { DataCard } from './data-card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'

interface LeavingProps {
  email: string
  /** Some time after a subscription has ended there is nothing to be read any more. */
  canExport: boolean
  onSignOut: () => void
  onDeleted: () => void
}

/** Export, sign-out and deletion for somebody without a subscription, who cannot open the profile. */
export function Leaving({ email, canExport, onSignOut, onDeleted }: LeavingProps) {
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
          <Button variant="default" size="xs" onClick={onSignOut}>
            Sign Out
          </Button>
        </Group>
        {canExport ? <DataCard /> : <Text c="dimmed">There is nothing to export without a subscription.</Text>}
        <DeleteAccountCard canExport={canExport} onDeleted={onDeleted} />
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
