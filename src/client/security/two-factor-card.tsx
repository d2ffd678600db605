import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '#client/identity/session-context.tsx'
import { useReverified } from '#client/api/use-reverified.ts'
import { Card } from '#client/ui/cards/card.tsx'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { clerkTexts } from '#client/identity/clerk-texts.ts'

const SetUp = onDemand(async () => (await import('./two-factor-dialog.tsx')).TwoFactorDialog)
const NewCodes = onDemand(async () => (await import('./backup-codes-dialog.tsx')).BackupCodesDialog)

type Dialog = 'set-up' | 'codes' | 'turn-off'
/** Sign-in with an authenticator app's code in addition to the password. */
export function TwoFactorCard() {
  const user = useUser()
  const [dialog, setDialog] = useState<Dialog>()
  const kept = useKeptFocus(String(user.totpEnabled))
  const close = () => setDialog(undefined)
  return (
    <div style={{ display: 'grid' }} {...kept}>
      <Card
        title="Two-factor sign-in"
        action={<Badge color={user.totpEnabled ? 'green' : 'gray'}>{user.totpEnabled ? 'On' : 'Off'}</Badge>}
      >
        <Text c="dimmed">
          {user.totpEnabled
            ? 'Signing in requires your password and a code from your authenticator app.'
            : 'Adds a code from an authenticator app to your password, so that a stolen password alone is not enough to sign in.'}
        </Text>
        <Group>
          {user.totpEnabled ? (
            <>
              <Button variant="default" onClick={() => setDialog('codes')}>
                New Backup Codes
              </Button>
              <Button variant="default" onClick={() => setDialog('turn-off')}>
                Turn Off
              </Button>
            </>
          ) : (
            <Button onClick={() => setDialog('set-up')}>Set Up</Button>
          )}
        </Group>
      </Card>
      <SetUp.Part wanted={dialog === 'set-up'} opened={dialog === 'set-up'} onClose={close} />
      <NewCodes.Part wanted={dialog === 'codes'} opened={dialog === 'codes'} onClose={close} />
      <TurnOffDialog opened={dialog === 'turn-off'} onClose={close} />
    </div>
  )
}

interface TurnOffDialogProps {
  opened: boolean
  onClose: () => void
}

function TurnOffDialog({ opened, onClose }: TurnOffDialogProps) {
  const user = useUser()
  const { reverified, isAsking } = useReverified()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => reverified(() => user.disableTOTP()),
    onSuccess: () => {
      toastSuccess('Two-factor sign-in is off')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      covered={isAsking}
      title="Turn Off Two-Factor Sign-In"
      confirmLabel="Turn Off"
      danger
      busy={isPending}
      error={error ? clerkTexts(error, []).failure : undefined}
      onConfirm={() => mutate()}
      onCancel={onClose}
      onClosed={reset}
    >
      Your password alone will be enough to sign in, and your backup codes will stop working.
    </ConfirmDialog>
  )
}
