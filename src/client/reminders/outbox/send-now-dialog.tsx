import type { MessageTarget } from '#client/mail/reminder-words.ts'
import { formatDay } from '#client/text/format.ts'
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
      Email <strong>{message.customerName}</strong> now about the renewal on {formatDay(message.renewalDate)}? This
      cannot be undone.
    </ConfirmDialog>
  )
}
