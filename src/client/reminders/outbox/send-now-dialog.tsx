import { lineText, occasionText, type MessageTarget } from '#client/mail/reminder-words.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'

interface SendNowDialogProps {
  opened: boolean
  message: MessageTarget | undefined
  onSend: (message: MessageTarget) => void
  onClose: () => void
}

/** Asks before a customer is emailed, which cannot be undone. */
export function SendNowDialog({ opened, message, onSend, onClose }: SendNowDialogProps) {
  if (!message) return null
  return (
    <ConfirmDialog
      opened={opened}
      title="Send Now"
      confirmLabel="Send Email"
      onConfirm={() => {
        onSend(message)
        onClose()
      }}
      onCancel={onClose}
    >
      <p>
        <strong>{message.customerName}</strong> gets this email right away, which cannot be undone:
      </p>
      <p>
        {occasionText(message)} ({lineText(message)})
      </p>
    </ConfirmDialog>
  )
}
