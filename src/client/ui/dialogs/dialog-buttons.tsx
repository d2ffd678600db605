import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './dialog.module.css'
import { FormFailure } from '#client/ui/form-failure.tsx'

interface DialogButtonsProps {
  children: ReactNode
  /** Why the last attempt was refused, below the buttons. */
  error?: string | undefined
}

/** The buttons of a dialog. They stay in sight if it is longer than the window. */
export function DialogButtons({ children, error }: DialogButtonsProps) {
  return (
    <Stack className={classes.buttons ?? ''}>
      <Group justify="flex-end" gap="sm">
        {children}
      </Group>
      <FormFailure>{error}</FormFailure>
    </Stack>
  )
}
