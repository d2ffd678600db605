import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useBackCloses } from '#client/ui/dialogs/use-back-closes.ts'
import { useLostFocus } from '#client/ui/dialogs/use-lost-focus.ts'
import { Brand } from './brand.tsx'
import { NavigationLinks } from './navigation-links.tsx'

interface DrawerPanelProps {
  opened: boolean
  onClose: () => void
}

export function DrawerPanel({ opened, onClose }: DrawerPanelProps) {
  // Mantine returns the focus only from a drawer that was first rendered closed.
  const isOpen = useMounted() && opened
  const { content, returnFocus } = useLostFocus(isOpen)
  useBackCloses(isOpen, { leave: onClose, hasChanges: () => false })
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} onExitTransitionEnd={returnFocus} size="xs">
      <Drawer.Overlay />
      <Drawer.Content ref={content} data-closing={!isOpen || undefined}>
        {/* Beside the app's own header it would count as a second banner of the page. */}
        <Drawer.Header role="presentation">
          <Drawer.Title>
            <Brand />
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close navigation" />
        </Drawer.Header>
        <Drawer.Body>
          <NavigationLinks direction="column" onFollow={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
