/** A page that the browser had put away while another was shown comes back as it was left. */
export function onPageRestored(act: () => void): () => void {
  const listener = ({ persisted }: PageTransitionEvent) => persisted && act()
  addEventListener('pageshow', listener)
  return () => removeEventListener('pageshow', listener)
}
