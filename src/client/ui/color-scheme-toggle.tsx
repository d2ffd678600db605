import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { MoonIcon, SunIcon } from '@radix-ui/react-icons'

/** Switches between light and dark; the system's choice applies until then. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const chosen = useComputedColorScheme('light')
  // The server does not know what the browser has kept, and shows everybody the same button.
  const current = useMounted() ? chosen : 'light'
  const other = current === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      c="inherit"
      aria-label={`Switch to ${other} mode`}
      onClick={() => setColorScheme(other)}
    >
      {other === 'dark' ? <MoonIcon width={18} height={18} /> : <SunIcon width={18} height={18} />}
    </ActionIcon>
  )
}
