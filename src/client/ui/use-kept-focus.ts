import { useLayoutEffect, useRef } from 'react'

/**
 * For an element whose controls are replaced: if one of them had the focus, the first new button gets it. `shown`
 * identifies the controls that are there.
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
    if (hadFocus.current && document.activeElement === document.body) ref.current?.querySelector('button')?.focus()
    note()
  }, [shown])
  return { ref, onFocus: note, onBlur: note }
}
