const LOST = 'traxx:focus-lost'
/** Mantine returns the focus 10 ms after a dialog starts to close. */
const RETURNED_MS = 20

interface Closed {
  /** What had the focus before it opened. */
  before: Element | null
  /** The element that is closing, which may still be in the page for a moment. */
  closed: Element | null
}

/**
 * Returns the focus after a dialog, which may have taken it only while closing, to the element that had it before. If
 * that is gone, an event lets others choose an element.
 */
export function returnLostFocus({ before, closed }: Closed): void {
  const isLost = () => document.activeElement === document.body || closed?.contains(document.activeElement)
  setTimeout(() => {
    if (isLost() && before instanceof HTMLElement) before.focus()
    if (isLost()) document.dispatchEvent(new Event(LOST))
  }, RETURNED_MS)
}

/** Returns a function that stops listening. */
export function whenFocusIsLost(listen: () => void): () => void {
  document.addEventListener(LOST, listen)
  return () => document.removeEventListener(LOST, listen)
}
