import { useSyncExternalStore } from 'react'

/** Also read by the inline script of `index.html`, so that a collapsed list is never painted. */
const KEY = 'traxx-attention'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const read = () => document.documentElement.dataset['attention'] === 'collapsed'

/** Whether the list of the dashboard is collapsed, as this browser remembers it. */
export function useCollapsed() {
  const isCollapsed = useSyncExternalStore(subscribe, read, () => false)
  const toggle = () => {
    const next = isCollapsed ? 'shown' : 'collapsed'
    document.documentElement.dataset['attention'] = next
    for (const listener of listeners) listener()
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Without storage it lasts until the page is left.
    }
  }
  return { isCollapsed, toggle }
}
