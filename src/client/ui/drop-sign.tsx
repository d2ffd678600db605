import classes from './drop-target.module.css'

/** Covers the drop target that it stands in while files are held over it. */
export function DropSign({ label }: { label: string | undefined }) {
  if (label === undefined) return null
  return (
    <span className={classes.sign}>
      <span className={classes.label}>{label}</span>
    </span>
  )
}
