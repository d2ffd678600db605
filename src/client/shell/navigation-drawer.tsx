import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { onDemand } from '#client/ui/on-demand.tsx'

const Panel = onDemand(async () => (await import('./drawer-panel.tsx')).DrawerPanel)

/** The navigation of a narrow screen, behind its button. */
export function NavigationDrawer() {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Burger
        hiddenFrom="md"
        size="sm"
        onClick={open}
        onPointerEnter={Panel.prefetch}
        onFocus={Panel.prefetch}
        aria-label="Open navigation"
        aria-haspopup="dialog"
        aria-expanded={opened}
      />
      <Panel.Part wanted={opened} opened={opened} onClose={close} />
    </>
  )
}
