/** Called when the browser restores a page from its back/forward cache. */
export function onPageRestored(act: () => void): () => void {
  const listener = ({ persisted }: PageTransitionEvent) => persisted && act()
  addEventListener('pageshow', listener)
  return () => removeEventListener('pageshow', listener)
}
