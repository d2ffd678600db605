import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './overlay.module.css'

/** Stands over the bottom of the window, where it moves nothing. What waits is shown only after a moment. */
export function Overlay({ waiting = false, children }: { waiting?: boolean; children: ReactNode }) {
  return (
    <div className={classes.place} data-waiting={waiting || undefined}>
      <Paper withBorder shadow="lg" className={classes.card ?? ''}>
        {children}
      </Paper>
    </div>
  )
}
