import type { MouseEvent } from 'react'
import classes from './skip-link.module.css'

/** First in tab order; skips the navigation. */
export function SkipLink() {
  return (
    <a href="#main" className={classes.link} onClick={skip}>
      Skip to content
    </a>
  )
}

// The address stays the same: to the router, a fragment would be another location.
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
