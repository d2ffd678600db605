import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogButtons } from './dialog-buttons.tsx'
import { DialogLayer } from './dialog-layer.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** For what cannot be undone: a red button, and the focus on the other one. */
  danger?: boolean
  busy?: boolean
  /** Another dialog is open above this one. */
  covered?: boolean
  error?: string | undefined
  onConfirm: () => void
  onCancel: () => void
  /** False if it asks about a Back that is already being held. */
  backCloses?: boolean
  /** Once the dialog is gone, and the focus is back where it was. */
  onClosed?: (() => void) | undefined
}

/** Asks before something is done. */
export function ConfirmDialog({ opened, title, children, onCancel, busy = false, ...rest }: ConfirmDialogProps) {
  const { confirmLabel, cancelLabel = 'Cancel', danger = false, error, onConfirm, ...layer } = rest
  return (
    <DialogLayer opened={opened} onClose={onCancel} title={title} busy={busy} {...layer}>
      <Stack gap="lg">
        <Text component="div">{children}</Text>
        <DialogButtons error={error}>
          <Button variant="default" disabled={busy} onClick={onCancel} data-autofocus={danger || undefined}>
            {cancelLabel}
          </Button>
          <Button
            {...(danger && { color: 'red' })}
            loading={busy}
            onClick={onConfirm}
            data-autofocus={!danger || undefined}
          >
            {confirmLabel}
          </Button>
        </DialogButtons>
      </Stack>
    </DialogLayer>
  )
}
