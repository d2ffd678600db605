import { Badge, Text } from '@mantine/core'
import { useUser } from '#client/identity/session-context.tsx'
import { VerifyAddress } from '#client/identity/verify-address.tsx'
import { Card } from '#client/ui/cards/card.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'

/** The address that the person signs in with, and how it is verified. */
export function AddressCard() {
  const address = useUser().primaryEmailAddress
  const isVerified = address?.verification.status === 'verified'
  const kept = useKeptFocus(String(isVerified))
  return (
    <div {...kept}>
      <Card
        title="Email address"
        action={<Badge color={isVerified ? 'green' : 'yellow'}>{isVerified ? 'Verified' : 'Not verified'}</Badge>}
      >
        {isVerified ? (
          <Text style={{ overflowWrap: 'anywhere' }}>{address.emailAddress}</Text>
        ) : (
          <VerifyAddress onVerified={() => toastSuccess('Your email address is verified')} />
        )}
      </Card>
    </div>
  )
}
