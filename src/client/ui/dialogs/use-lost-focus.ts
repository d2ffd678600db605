import { useLayoutEffect, useRef } from 'react'
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
