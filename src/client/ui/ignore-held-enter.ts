import type { KeyboardEvent } from 'react'

/** Enter repeats while it is held down, and would press a button again before its message could be read. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}
