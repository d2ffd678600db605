import { useLayoutEffect, useRef } from 'react'

/**
 * For an element whose controls give way to others: the focus that was on one of them goes to the first of those that
 * come. `shown` names the controls that are there.
 */
export function useKeptFocus(shown: string) {
  const ref = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) ref.current?.querySelector('button')?.focus()
  }, [shown])
  // React tells nothing of the blur of an element that it takes away.
  const note = () => {
    hadFocus.current = ref.current?.contains(document.activeElement) ?? false
  }
  return { ref, onFocus: note, onBlur: note }
}
