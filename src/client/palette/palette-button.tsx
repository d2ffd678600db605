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
  const { typed, awaitPalette, stopAwaiting, keepKey } = useEarlyKeys()
  const isMac = useMounted() && navigator.userAgent.includes('Macintosh')
  const button = useRef<HTMLButtonElement>(null)
  const opener = useRef<Element>(null)
  const open = () => {
    // A dialog that is fading out does not count.
    if (document.querySelector('[aria-modal=true]:not([data-closing])')) return
    opener.current = document.activeElement
    awaitPalette()
    setOpened(true)
  }
  const close = () => {
    stopAwaiting()
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
    if (!isShortcut || event.key.toLowerCase() !== 'k') return keepKey(event)
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
      <Palette.Part wanted={opened} opened={opened} typed={typed} onClose={close} onGo={go} />
    </>
  )
}

/** What is typed after the shortcut, until the palette has loaded and has the focus. */
function useEarlyKeys() {
  const [typed, setTyped] = useState('')
  const isAwaited = useRef(false)
  const stopAwaiting = () => {
    isAwaited.current = false
  }
  return {
    typed,
    stopAwaiting,
    awaitPalette: () => {
      setTyped('')
      isAwaited.current = true
      Palette.load().catch(stopAwaiting)
    },
    keepKey: (event: KeyboardEvent) => {
      if (document.activeElement?.closest('[aria-modal=true]')) stopAwaiting()
      const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isAwaited.current || !isCharacter) return
      event.preventDefault()
      setTyped((before) => before + event.key)
    },
  }
}
