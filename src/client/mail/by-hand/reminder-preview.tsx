import { Button, Skeleton, Stack } from '@mantine/core'
import { LetterView } from '#client/mail/letter-view.tsx'
import { Recipients } from '#client/mail/recipients.tsx'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import type { ReminderControl } from './use-send-reminder.ts'

interface ReminderPreviewProps {
  opened: boolean
  contract: { id: number; customerName: string } | undefined
  control: ReminderControl
  onClose: () => void
}

/** The email that Send Reminder would send now, and a button that sends it. */
export function ReminderPreview({ opened, contract, control, onClose }: ReminderPreviewProps) {
  const preview = trpc.contracts.previewReminder.useQuery({ id: contract?.id ?? 0 }, { enabled: opened, gcTime: 0 })
  const send = () => {
    if (contract) control.send(contract)
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={onClose} title="Reminder Preview" size="lg" reading>
      <Stack>
        <QueryError query={preview} failed="Failed to load the preview" />
        {preview.isPending && <Skeleton height={520} />}
        {preview.data && <Recipients {...preview.data} />}
        {preview.data && <LetterView letter={preview.data} />}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {contract && control.stateOf(contract.id) === 'idle' && (
            <ChangeButton onClick={send}>Send Reminder</ChangeButton>
          )}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
