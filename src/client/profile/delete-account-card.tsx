import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Card } from '#client/ui/cards/card.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

interface DeleteAccountCardProps {
  canExport: boolean
  /** There is a subscription, which is canceled as well. */
  isSubscribed: boolean
}

/** Deletes the account. */
export function DeleteAccountCard({ canExport, isSubscribed }: DeleteAccountCardProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Card title="Delete account">
      <Text c="dimmed">
        {isSubscribed ? 'Cancels your subscription and removes' : 'Removes'} everything in your account.
        {canExport && ' Export your data first if you might need it.'}
      </Text>
      <Button color="red" variant="outline" style={{ alignSelf: 'flex-start' }} onClick={() => setOpened(true)}>
        Delete Account
      </Button>
      <DeleteAccountDialog opened={opened} isSubscribed={isSubscribed} onClose={() => setOpened(false)} />
    </Card>
  )
}
