import { Logo } from '#client/ui/logo.tsx'
import classes from './brand.module.css'

export function Brand() {
  return (
    <span className={classes.brand}>
      <Logo />
    </span>
  )
}
