import { Container, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { ColorSchemeToggle } from '#client/ui/color-scheme-toggle.tsx'
import classes from './app-frame.module.css'
import { Banners } from './banners/banners.tsx'
import { Brand } from './brand.tsx'
import { NavigationDrawer } from './navigation-drawer.tsx'
import { NavigationLinks } from './navigation-links.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { ProfileMenu } from './profile-menu.tsx'

interface AppFrameProps {
  children: ReactNode
  /** The search over everything, on every screen. */
  palette: ReactNode
}

/** The navigation shell around every signed-in screen. */
export function AppFrame({ children, palette }: AppFrameProps) {
  return (
    <>
      <SkipLink />
      <header className={classes.header}>
        <Container size="xl" h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
            <Group gap="lg" wrap="nowrap" className={classes.start ?? ''}>
              <NavigationDrawer />
              <Link to="/dashboard" aria-label="TRAXX home">
                <Brand />
              </Link>
              <NavigationLinks visibleFrom="md" direction="row" />
            </Group>
            <Group gap={4} wrap="nowrap" pos="relative">
              {palette}
              <NotificationBell />
              <ColorSchemeToggle />
              <ProfileMenu />
            </Group>
          </Group>
        </Container>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        <Container size="xl" py={{ base: 'md', sm: 'xl' }}>
          <Banners />
          {children}
        </Container>
      </main>
    </>
  )
}

/** First in tab order; skips the navigation. */
function SkipLink() {
  return (
    <a href="#main" className={classes.skip} onClick={skip}>
      Skip to content
    </a>
  )
}

// The address stays the same: to the router, a fragment would be another location.
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
