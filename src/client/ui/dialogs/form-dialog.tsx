import { Button, Stack } from '@mantine/core'
import type { SubmitEventHandler, ReactNode } from 'react'
import { DialogButtons } from './dialog-buttons.tsx'
import { Dialog } from './dialog.tsx'
import { useUnsaved } from './use-unsaved.ts'

interface FormDialogProps {
  opened: boolean
  title: string
  /** The fields. */
  children: ReactNode
  submitLabel: string
  busy?: boolean
  /** Something else has to be over before it can be submitted; it can be closed. */
  waits?: boolean
  /** Something is entered that is not saved. */
  unsaved: boolean
  /** Why the last attempt was refused, unless a field shows it. */
  error?: string | undefined
  onSubmit: SubmitEventHandler<HTMLFormElement>
  onClose: () => void
}

/** A form over the page. While it is busy it neither closes nor submits again. */
export function FormDialog({ opened, title, onSubmit, onClose, busy = false, ...rest }: FormDialogProps) {
  const { children, submitLabel, waits = false, unsaved, error } = rest
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg" busy={busy}>
      <form noValidate onSubmit={onSubmit} aria-label={title} aria-busy={busy}>
        <Unsaved unsaved={unsaved} />
        <Stack>
          {children}
          <DialogButtons error={error}>
            <Button variant="default" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy || waits}>
              {submitLabel}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

function Unsaved({ unsaved }: { unsaved: boolean }) {
  useUnsaved(unsaved)
  return null
}
