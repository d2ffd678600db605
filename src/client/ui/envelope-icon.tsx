/** Lighter than the icon of the library, which every page would load. */
export function EnvelopeIcon() {
  return (
    <svg width="15" height="15" fill="none" stroke="currentColor" aria-hidden>
      <path d="M1.5 3h12v9h-12zl6 5 6-5" />
    </svg>
  )
}
