import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useUser } from '#client/identity/session-context.tsx'
import { useReverified } from '#client/api/use-reverified.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { clerkTexts } from '#client/identity/clerk-texts.ts'

interface BackupCodesDialogProps {
  opened: boolean
  onClose: () => void
}

/** Replaces the backup codes. */
export function BackupCodesDialog({ opened, onClose }: BackupCodesDialogProps) {
  const user = useUser()
  const { reverified, isAsking } = useReverified()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => reverified(() => user.createBackupCode()),
  })
  const kept = useKeptFocus(data ? 'codes' : 'question')
  const title = data ? 'Your Backup Codes' : 'New Backup Codes'
  return (
    <Dialog opened={opened} title={title} busy={isPending} covered={isAsking} onClose={onClose} onClosed={reset}>
      <div {...kept}>
        {data ? (
          <BackupCodes codes={data.codes} onDone={onClose} />
        ) : (
          <Stack>
            <Text>Your old backup codes will stop working.</Text>
            <Group justify="flex-end">
              <Button variant="default" disabled={isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button loading={isPending} onClick={() => mutate()}>
                Create New Codes
              </Button>
            </Group>
            {error && <FormFailure>{clerkTexts(error, []).failure}</FormFailure>}
          </Stack>
        )}
      </div>
    </Dialog>
  )
}
