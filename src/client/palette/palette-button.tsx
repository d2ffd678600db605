import { UnstyledButton } from '@mantine/core'
import { useMounted, useWindowEvent } from '@mantine/hooks'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { useRef, useState } from 'react'
import { onDemand } from '#client/ui/on-demand.tsx'
import type { Destination } from './palette-entry.ts'
import classes from './palette.module.css'

const Palette = onDemand(async () => (await import('./palette.tsx')).Palette)

interface PaletteButtonProps {
  onGo: (destination: Destination) => void
}

/** Opens the command palette, as Ctrl-K or Cmd-K do everywhere but over another dialog. */
export function PaletteButton({ onGo }: PaletteButtonProps) {
  const [opened, setOpened] = useState(false)
  const isMac = useMounted() && navigator.userAgent.includes('Macintosh')
  const button = useRef<HTMLButtonElement>(null)
  const opener = useRef<Element>(null)
  const open = () => {
    // A dialog that is fading out does not count.
    if (document.querySelector('[aria-modal=true]:not([data-closing])')) return
    opener.current = document.activeElement
    setOpened(true)
  }
  const close = () => {
    setOpened(false)
    const before = opener.current
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus()
    else button.current?.focus()
  }
  const go = (destination: Destination) => {
    close()
    onGo(destination)
  }
  useWindowEvent('keydown', (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isShortcut || event.key.toLowerCase() !== 'k') return
    event.preventDefault()
    open()
  })
  return (
    <>
      <UnstyledButton
        ref={button}
        className={classes.button ?? ''}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        onPointerEnter={Palette.prefetch}
        onFocus={Palette.prefetch}
      >
        <MagnifyingGlassIcon width={18} height={18} aria-hidden />
        <span>Search</span>
        <kbd aria-hidden>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      <Palette.Part wanted={opened} opened={opened} onClose={close} onGo={go} />
    </>
  )
}
