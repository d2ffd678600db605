import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * While something is under way, the pressed button is disabled, which takes the focus from it. Afterward the focus returns
 * there, unless it has gone elsewhere, or `isOpen` is false because the dialog is closing.
 */
export function useFocusAfterBusy(busy: boolean, isOpen = true): void {
  const pressed = useRef<Element>(null)
  useLayoutEffect(() => {
    if (busy) pressed.current = document.activeElement
  }, [busy])
  useEffect(() => {
    if (busy) return
    const before = pressed.current
    pressed.current = null
    const isLost = document.activeElement === document.body
    if (isOpen && isLost && before instanceof HTMLElement) before.focus({ preventScroll: true })
  }, [busy, isOpen])
}
