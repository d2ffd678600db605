import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './overlay.module.css'

/** A card over the bottom of the window, so that it moves nothing. A loading card appears after a delay. */
export function Overlay({ waiting = false, children }: { waiting?: boolean; children: ReactNode }) {
  return (
    <div className={classes.place} data-waiting={waiting || undefined}>
      <Paper withBorder shadow="lg" className={classes.card ?? ''}>
        {children}
      </Paper>
    </div>
  )
}
