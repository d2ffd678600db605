import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { FormFailure } from './form-failure.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  confirmLabel: string
  /** For what cannot be undone: a red button, and the focus on the other one. */
  danger?: boolean
  busy?: boolean
  /** Another dialog has come over this one. */
  covered?: boolean
  error?: string | undefined
  onConfirm: () => void
  onCancel: () => void
  /** Once the dialog is gone, and the focus is back where it was. */
  onClosed?: (() => void) | undefined
}

/** Asks before something is done. */
export function ConfirmDialog({ opened, title, children, onCancel, busy = false, ...rest }: ConfirmDialogProps) {
  const { confirmLabel, danger = false, covered = false, error, onConfirm, onClosed } = rest
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} busy={busy} covered={covered} onClosed={onClosed}>
      <Stack gap="lg">
        <Text component="div">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onCancel} data-autofocus={danger || undefined}>
            Cancel
          </Button>
          <Button
            {...(danger && { color: 'red' })}
            loading={busy}
            onClick={onConfirm}
            data-autofocus={!danger || undefined}
          >
            {confirmLabel}
          </Button>
        </Group>
        <FormFailure>{error}</FormFailure>
      </Stack>
    </Dialog>
  )
}
