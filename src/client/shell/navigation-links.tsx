import { Box, Indicator, VisuallyHidden, type BoxProps } from '@mantine/core'
import { CalendarIcon, FileTextIcon, PersonIcon, ViewGridIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import { trpc } from '#client/api/trpc.ts'
import { formatCount } from '#client/text/format.ts'
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

const POLL_MS = 30_000

/** Links to the main screens; the current one is marked, and how many customers' answers are waiting. */
export function NavigationLinks({ direction, onFollow, ...visibility }: NavigationLinksProps) {
  const waiting = trpc.answers.waiting.useQuery(undefined, { refetchInterval: POLL_MS }).data?.count ?? 0
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
          {to === '/reminders' ? <WithCount name={name} waiting={waiting} /> : name}
        </Link>
      ))}
    </Box>
  )
}

/** A name that keeps its place, whatever the number above it. */
function WithCount({ name, waiting }: { name: string; waiting: number }) {
  const count = formatCount(waiting)
  return (
    <Indicator
      disabled={waiting === 0}
      label={<span aria-hidden>{count}</span>}
      size={16}
      offset={-4}
      color="red"
      zIndex={1}
    >
      {name}
      {waiting > 0 && (
        <VisuallyHidden>{waiting === 1 ? ' (1 answer waiting)' : ` (${count} answers waiting)`}</VisuallyHidden>
      )}
    </Indicator>
  )
}
