const LOST = 'traxx:focus-lost'
/** Mantine gives the focus back 10 ms after a dialog has begun to close. */
const RETURNED_MS = 20

interface Closed {
  /** What had the focus before it opened. */
  before: Element | null
  /** What has closed, and may be there for another moment. */
  closed: Element | null
}

/**
 * After a dialog, which may have taken the focus only while it was closing: what had it before gets it back. Where that
 * is gone, whoever knows a better place is told.
 */
export function returnLostFocus({ before, closed }: Closed): void {
  const isLost = () => document.activeElement === document.body || closed?.contains(document.activeElement)
  setTimeout(() => {
    if (isLost() && before instanceof HTMLElement) before.focus()
    if (isLost()) document.dispatchEvent(new Event(LOST))
  }, RETURNED_MS)
}

/** Answers how to stop listening. */
export function whenFocusIsLost(listen: () => void): () => void {
  document.addEventListener(LOST, listen)
  return () => document.removeEventListener(LOST, listen)
}
