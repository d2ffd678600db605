import type { MouseEvent } from 'react'
import classes from './skip-link.module.css'

/** The first thing Tab reaches: over the navigation, to what the screen is about. */
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
