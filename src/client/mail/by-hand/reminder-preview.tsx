import { Button, NativeSelect, Skeleton, Stack } from '@mantine/core'
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
  /** The contracts that it can be about, if not only this one. */
  choices?: { id: number; label: string }[]
  onChoose?: (id: number) => void
  control: ReminderControl
  onClose: () => void
}

/** The email that Send Reminder would send now, and a button that sends it. */
export function ReminderPreview(props: ReminderPreviewProps) {
  const { opened, contract, choices, onChoose, control, onClose } = props
  const preview = trpc.contracts.previewReminder.useQuery({ id: contract?.id ?? 0 }, { enabled: opened, gcTime: 0 })
  const send = () => {
    if (contract) control.send(contract)
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={onClose} title="Reminder Preview" size="lg" reading>
      <Stack>
        {choices && (
          <NativeSelect
            label="About"
            data={choices.map(({ id, label }) => ({ value: String(id), label: label + SAID[control.stateOf(id)] }))}
            value={String(contract?.id)}
            onChange={({ currentTarget: { value } }) => onChoose?.(Number(value))}
          />
        )}
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

const SAID: Record<ReturnType<ReminderControl['stateOf']>, string> = {
  idle: '',
  busy: '',
  planned: ' (on its way)',
  sent: ' (reminder sent today)',
}
