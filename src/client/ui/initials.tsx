import classes from './initials.module.css'

/** Decorative; the name is beside it. */
export function Initials({ children }: { children: string }) {
  return (
    <span className={classes.initials} aria-hidden>
      {children}
    </span>
  )
}
