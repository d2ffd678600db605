import { Button, Group, Stack } from '@mantine/core'
import type { SubmitEventHandler, ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { FormFailure } from './form-failure.tsx'

interface FormDialogProps {
  opened: boolean
  title: string
  /** The fields. */
  children: ReactNode
  submitLabel: string
  busy?: boolean
  /** Why the last attempt was refused, unless a field shows it. */
  error?: string | undefined
  onSubmit: SubmitEventHandler<HTMLFormElement>
  onClose: () => void
}

/** A form over the page. While it is busy it neither closes nor submits again. */
export function FormDialog({ opened, title, onSubmit, onClose, busy = false, ...rest }: FormDialogProps) {
  const { children, submitLabel, error } = rest
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg" busy={busy}>
      <form noValidate onSubmit={onSubmit} aria-label={title} aria-busy={busy}>
        <Stack>
          {children}
          <Group justify="flex-end" mt="xs">
            <Button variant="default" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              {submitLabel}
            </Button>
          </Group>
          <FormFailure>{error}</FormFailure>
        </Stack>
      </form>
    </Dialog>
  )
}
