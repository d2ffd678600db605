import { useLayoutEffect, useRef } from 'react'

const BUTTON = 'button:not([data-at-once])'

/**
 * For an element whose controls are replaced: if one of them had the focus, the first new button gets it, but for those with
 * `data-at-once`, which do not ask: a second press of the key must not reach them. `shown` identifies the controls that are there.
 */
export function useKeptFocus(shown: string) {
  const ref = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  // React does not report the blur of an element that it removes.
  const note = () => {
    hadFocus.current = ref.current?.contains(document.activeElement) ?? false
  }
  // Nor does it report a focus from before hydration.
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      ref.current?.querySelector<HTMLElement>(BUTTON)?.focus()
    note()
  }, [shown])
  return { ref, onFocus: note, onBlur: note }
}
