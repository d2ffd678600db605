/** The wordmark, in the color of the surrounding text; its last letters in `--traxx-accent`. */
export function Logo({ height = 20 }: { height?: number }) {
  return (
    <svg
      role="img"
      aria-label="TRAXX"
      height={height}
      width={(height * 101) / 20}
      viewBox="0 0 101 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="3.2"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path d="M2 2h15M9.5 2v16" />
      <path d="M23 18V2h7.2a4.9 4.9 0 0 1 0 9.8H23M30.4 11.8 36 18" />
      <path d="m40.5 18 7-16h.6l7 16M43 13h9.6" />
      <g stroke="var(--traxx-accent, currentColor)">
        <path d="m60.5 2 15 16M75.500 2l-15 16" />
        <path d="m83.500 2 15 16M98.500 2l-15 16" />
      </g>
    </svg>
  )
}
