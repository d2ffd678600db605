import { useLayoutEffect, useRef } from 'react'

/**
 * For an element whose controls give way to others: the focus that was on one of them goes to the first of those that
 * come. `shown` names the controls that are there.
 */
export function useKeptFocus(shown: string) {
  const ref = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  // React tells nothing of the blur of an element that it takes away.
  const note = () => {
    hadFocus.current = ref.current?.contains(document.activeElement) ?? false
  }
  // Nor of the focus that an element has before it takes the page over.
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) ref.current?.querySelector('button')?.focus()
    note()
  }, [shown])
  return { ref, onFocus: note, onBlur: note }
}
