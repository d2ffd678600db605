import { useEffect, useLayoutEffect, useRef } from 'react'
import { returnLostFocus } from '#client/ui/lost-focus.ts'

/**
 * For a dialog that may take the focus while it is closing: a ref for its content, and what to call once it has faded
 * out, so that the focus is back where it was before.
 */
export function useLostFocus(isOpen: boolean) {
  const before = useRef<Element>(null)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement
  }, [isOpen])
  const returnFocus = () => returnLostFocus({ before: before.current, closed: content.current })
  return { content, returnFocus }
}

/** While a dialog is busy its buttons are disabled, which takes the focus from the one that was pressed: it returns there. */
export function useFocusAfterBusy(busy: boolean): void {
  const pressed = useRef<Element>(null)
  useLayoutEffect(() => {
    if (busy) pressed.current = document.activeElement
  }, [busy])
  useEffect(() => {
    if (!busy) return undefined
    return () => {
      const isLost = document.activeElement === document.body
      if (isLost && pressed.current instanceof HTMLElement) pressed.current.focus()
    }
  }, [busy])
}
