import { Box, type BoxProps } from '@mantine/core'
import { CalendarIcon, FileTextIcon, PersonIcon, ViewGridIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import { EnvelopeIcon } from '#client/ui/envelope-icon.tsx'
import classes from './navigation-links.module.css'

const SCREENS = [
  { to: '/dashboard', name: 'Dashboard', Icon: ViewGridIcon },
  { to: '/customers', name: 'Customers', Icon: PersonIcon },
  { to: '/contracts', name: 'Contracts', Icon: FileTextIcon },
  { to: '/calendar', name: 'Calendar', Icon: CalendarIcon },
  { to: '/reminders', name: 'Reminders', Icon: EnvelopeIcon },
] as const

interface NavigationLinksProps extends Pick<BoxProps, 'visibleFrom'> {
  direction: 'row' | 'column'
  onFollow?: () => void
}

/** Links to the main screens; the current one is marked. */
export function NavigationLinks({ direction, onFollow, ...visibility }: NavigationLinksProps) {
  return (
    <Box
      component="nav"
      aria-label="Main"
      className={classes.links ?? ''}
      style={{ flexDirection: direction }}
      {...visibility}
    >
      {SCREENS.map(({ to, name, Icon }) => (
        <Link key={to} to={to} className={classes.link ?? ''} {...(onFollow && { onClick: onFollow })}>
          <Icon aria-hidden />
          {name}
        </Link>
      ))}
    </Box>
  )
}
