const LOST = 'traxx:focus-lost'
/** Mantine gives the focus back 10 ms after a dialog has begun to close. */
const RETURNED_MS = 20

/**
 * After a dialog, which may have taken the focus only while it was closing: what had it before gets it back. Where that
 * is gone, whoever knows a better place is told.
 */
export function returnLostFocus(before: Element | null): void {
  setTimeout(() => {
    if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    if (document.activeElement === document.body) document.dispatchEvent(new Event(LOST))
  }, RETURNED_MS)
}

/** Answers how to stop listening. */
export function whenFocusIsLost(listen: () => void): () => void {
  document.addEventListener(LOST, listen)
  return () => document.removeEventListener(LOST, listen)
}
