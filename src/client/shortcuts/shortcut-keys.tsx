import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { onDemand } from '#client/ui/on-demand.tsx'
import type { ShortcutsProps } from './shortcuts.tsx'
import { plainKey } from '#client/browser/plain-key.ts'

const Shortcuts = onDemand(async () => (await import('./shortcuts.tsx')).Shortcuts)

/** Shortcuts of single keys. What they do is loaded with the first that is pressed, which counts. */
export function ShortcutKeys({ onGo }: Pick<ShortcutsProps, 'onGo'>) {
  const [first, setFirst] = useState('')
  useWindowEvent('keydown', (event) => {
    const key = plainKey(event)
    if (!first && key && 'gn/?'.includes(key)) {
      event.preventDefault()
      setFirst(key)
    }
  })
  return <Shortcuts.Part wanted={first !== ''} first={first} onGo={onGo} />
}
