import { Burger, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Brand } from './brand.tsx'
import { NavigationLinks } from './navigation-links.tsx'

/** The navigation of a narrow screen, behind its button. */
export function NavigationDrawer() {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Burger hiddenFrom="sm" size="sm" onClick={open} aria-label="Open navigation" aria-expanded={opened} />
      <Drawer.Root opened={opened} onClose={close} size="xs">
        <Drawer.Overlay />
        <Drawer.Content>
          {/* Beside the app's own header it would count as a second banner of the page. */}
          <Drawer.Header role="presentation">
            <Drawer.Title>
              <Brand />
            </Drawer.Title>
            <Drawer.CloseButton aria-label="Close navigation" />
          </Drawer.Header>
          <Drawer.Body>
            <NavigationLinks direction="column" onFollow={close} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  )
}
