import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './details-dialog.module.css'
import { Dialog } from './dialog.tsx'

interface DetailsDialogProps {
  opened: boolean
  title: string
  details: { label: string; value: ReactNode }[]
  /** Another dialog lies over this one. */
  covered?: boolean
  /** What can be done, beside Close. */
  children?: ReactNode
  onClose: () => void
}

/** Everything that is known of one thing, to be read. */
export function DetailsDialog({ opened, title, details, covered = false, children, onClose }: DetailsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="lg" covered={covered}>
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
        <Group justify="flex-end">
          {children}
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
