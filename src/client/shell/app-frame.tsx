import { AppShell, Burger, Container, Drawer, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ColorSchemeToggle } from '#client/ui/color-scheme-toggle.tsx'
import { Logo } from '#client/ui/logo.tsx'
import classes from './app-frame.module.css'
import { NavigationLinks } from './navigation-links.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import { ReadOnlyBanner } from './read-only-banner.tsx'
import { SkipLink } from './skip-link.tsx'

/** The navigation shell around every signed-in screen. */
export function AppFrame({ children, onSignOut }: { children: ReactNode; onSignOut: () => void }) {
  const [drawerOpened, drawer] = useDisclosure(false)
  return (
    <AppShell header={{ height: 60 }}>
      <SkipLink />
      <AppShell.Header className={classes.header ?? ''}>
        <Container size="xl" h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
            <Group gap="lg" wrap="nowrap">
              <Burger
                hiddenFrom="sm"
                size="sm"
                opened={drawerOpened}
                onClick={drawer.toggle}
                aria-label="Open navigation"
                aria-expanded={drawerOpened}
              />
              <Link to="/dashboard" className={classes.home ?? ''} aria-label="TRAXX home">
                <Logo />
              </Link>
              <NavigationLinks visibleFrom="sm" direction="row" />
            </Group>
            <Group gap={4} wrap="nowrap">
              <NotificationBell />
              <ColorSchemeToggle />
              <ProfileMenu onSignOut={onSignOut} />
            </Group>
          </Group>
        </Container>
      </AppShell.Header>
      <Drawer opened={drawerOpened} onClose={drawer.close} title={<Brand />} size="xs" closeButtonProps={CLOSE}>
        <NavigationLinks direction="column" onFollow={drawer.close} />
      </Drawer>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main ?? ''}>
        <Container size="xl" py={{ base: 'md', sm: 'xl' }}>
          <ReadOnlyBanner />
          {children}
        </Container>
      </AppShell.Main>
    </AppShell>
  )
}

function Brand() {
  return (
    <span className={classes.home}>
      <Logo />
    </span>
  )
}

const CLOSE = { 'aria-label': 'Close navigation' }
