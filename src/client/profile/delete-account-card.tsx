import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Card } from '#client/ui/cards/card.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

/** Deletes the account. */
export function DeleteAccountCard({ canExport }: { canExport: boolean }) {
  const [opened, setOpened] = useState(false)
  return (
    <Card title="Delete account">
      <Text c="dimmed">
        Cancels your subscription and removes everything in your account.
        {canExport && ' Export your data first if you might need it.'}
      </Text>
      <Button color="red" variant="outline" style={{ alignSelf: 'flex-start' }} onClick={() => setOpened(true)}>
        Delete Account
      </Button>
      <DeleteAccountDialog opened={opened} onClose={() => setOpened(false)} />
    </Card>
  )
}
