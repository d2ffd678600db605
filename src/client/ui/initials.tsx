import classes from './initials.module.css'

/** Stands for a picture, and says nothing that does not stand beside it in words. */
export function Initials({ children }: { children: string }) {
  return (
    <span className={classes.initials} aria-hidden>
      {children}
    </span>
  )
}
