import '@mantine/core/styles/Tooltip.layer.css'
import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './explained.module.css'

interface ExplainedProps {
  /** How the figure comes about. */
  how: string
  children: ReactNode
}

/** A computed figure that says on hover, focus and touch how it comes about. */
export function Explained({ how, children }: ExplainedProps) {
  return (
    <Tooltip label={how} multiline maw={300} withArrow events={{ hover: true, focus: true, touch: true }}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what it explains has to be reachable by keyboard */}
      <span tabIndex={0} className={classes.figure}>
        {children}
      </span>
    </Tooltip>
  )
}
