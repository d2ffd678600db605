import type { ReactNode } from 'react'
import classes from './drop-hint.module.css'

interface DropHintProps {
  /** Says that a file can be dropped. */
  children: ReactNode
  /** Shown instead where files cannot be dragged. */
  otherwise: string
}

/** Mentions dropping only where there may be a pointer that drags files. */
export function DropHint({ children, otherwise }: DropHintProps) {
  return (
    <>
      <span className={classes.drop}>{children}</span>
      <span className={classes.otherwise}>{otherwise}</span>
    </>
  )
}
