import { Alert, Button, Group, Stack } from '@mantine/core'
import type { SubmitEventHandler, ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  opened: boolean
  title: string
  /** The fields. */
  children: ReactNode
  submitLabel: string
  busy?: boolean
  /** Why the last attempt was refused, where that is not the fault of one field. */
  error?: string | undefined
  success?: string | undefined
  onSubmit: SubmitEventHandler<HTMLFormElement>
  onClose: () => void
}

/** A form over the page. While it is busy it neither closes nor submits again. */
export function FormDialog({ opened, title, onSubmit, onClose, busy = false, ...rest }: FormDialogProps) {
  const { children, submitLabel, error, success } = rest
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg" busy={busy}>
      <form noValidate onSubmit={onSubmit} aria-label={title} aria-busy={busy}>
        <Stack>
          {children}
          <Outcome error={error} success={success} />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            {/* Done once is enough, but a disabled button would drop the focus. */}
            <Button type="submit" loading={busy} {...(success && DONE)}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const DONE = { 'aria-disabled': true, 'data-disabled': true }

function Outcome({ error, success }: Pick<FormDialogProps, 'error' | 'success'>) {
  if (error) {
    return (
      <Alert color="red" role="alert">
        {error}
      </Alert>
    )
  }
  return success ? (
    <Alert color="green" role="status">
      {success}
    </Alert>
  ) : null
}
