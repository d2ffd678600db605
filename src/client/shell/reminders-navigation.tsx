import { Link } from '@tanstack/react-router'
import { trpc } from '#client/api/trpc.ts'
import { formatCount } from '#client/text/format.ts'
import classes from './navigation-links.module.css'

const SCREENS = [
  { to: '/reminders', name: 'Reminders' },
  { to: '/answers', name: 'Answers' },
  { to: '/notices', name: 'Notices' },
  { to: '/notifications/texts', name: 'Templates' },
  { to: '/notifications/settings', name: 'Settings' },
  { to: '/notifications', name: 'Notifications' },
] as const

const EXACT = { exact: true, includeSearch: false }

/** Leads from each screen about reminders and notifications to the others. */
export function RemindersNavigation() {
  const waiting = trpc.answers.waiting.useQuery().data?.count ?? 0
  return (
    <nav aria-label="Reminders and notifications" className={classes.links} style={LINE_BELOW}>
      {SCREENS.map(({ to, name }) => (
        <Link key={to} to={to} activeOptions={EXACT} className={classes.link ?? ''} style={NARROW}>
          {to === '/answers' && waiting > 0 ? `${name} (${formatCount(waiting)})` : name}
        </Link>
      ))}
    </nav>
  )
}

// On a phone they take two lines.
const NARROW = {
  paddingInline: 'clamp(4px, 1vw, 12px)',
  fontSize: 'clamp(0.8125rem, 0.5rem + 1.2vw, 0.875rem)',
}
const LINE_BELOW = {
  gap: 0,
  flexWrap: 'wrap',
  paddingBottom: 'var(--mantine-spacing-xs)',
  borderBottom: '1px solid var(--mantine-color-default-border)',
} as const
