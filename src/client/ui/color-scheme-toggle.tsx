import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { MoonIcon, SunIcon } from '@radix-ui/react-icons'

/** Switches between light and dark; until then the system's choice holds. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const current = useComputedColorScheme('light')
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
