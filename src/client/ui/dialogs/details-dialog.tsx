import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { DetailList, type Detail } from '#client/ui/detail-list.tsx'
import classes from './details-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

interface DetailsDialogProps {
  opened: boolean
  title: string
  details: Detail[]
  /** Another dialog is open above this one. */
  covered?: boolean
  /** Additional content below the details. */
  section?: ReactNode
  /** The same, if it loads later: below everything else, so that it moves nothing. */
  fetched?: ReactNode
  /** What can be done, beside Close. */
  children?: ReactNode
  onClose: () => void
}

/** The details of one record, to read. */
export function DetailsDialog({ opened, title, details, covered = false, onClose, ...rest }: DetailsDialogProps) {
  const { section, fetched, children } = rest
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg" covered={covered} growing reading>
      <Stack gap="lg">
        <DetailList details={details} className={classes.details} />
        {section}
        <DialogButtons>
          {children}
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
        {fetched}
      </Stack>
    </Dialog>
  )
}
