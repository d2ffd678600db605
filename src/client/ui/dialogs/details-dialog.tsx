import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './details-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

interface DetailsDialogProps {
  opened: boolean
  title: string
  details: { label: string; value: ReactNode }[]
  /** Another dialog lies over this one. */
  covered?: boolean
  /** More than a label can say, below the details. */
  section?: ReactNode
  /** The same, where it is fetched: below everything else, of which it moves nothing when it comes. */
  fetched?: ReactNode
  /** What can be done, beside Close. */
  children?: ReactNode
  onClose: () => void
}

/** Everything that is known of one thing, to be read. */
export function DetailsDialog({ opened, title, details, covered = false, onClose, ...rest }: DetailsDialogProps) {
  const { section, fetched, children } = rest
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg" covered={covered} growing reading>
      <Stack gap="lg">
        <dl className={classes.details}>
          {details.map(({ label, value }) => (
            <div key={label}>
              <Text component="dt" size="sm" c="dimmed">
                {label}
              </Text>
              <Text component="dd" m={0} fw={500} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ))}
        </dl>
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
