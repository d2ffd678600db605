import type { ReactNode } from 'react'
import classes from './pending.module.css'

/** Shows that what is inside answers an earlier question, and that the answer to the new one is on its way. */
export function Pending({ pending, children }: { pending: boolean; children: ReactNode }) {
  return (
    <div className={classes.frame} data-pending={pending || undefined} aria-busy={pending}>
      {children}
    </div>
  )
}
