import { generate } from 'lean-qr'

/** The white margin that scanners need. */
const MARGIN = 4

/** A text to be scanned with a phone: black on white in every color scheme. */
export function QrCode({ text }: { text: string }) {
  const code = generate(text)
  const side = code.size + 2 * MARGIN
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${side} ${side}`}
      width={208}
      height={208}
      shapeRendering="crispEdges"
      style={{ background: 'white', alignSelf: 'center', borderRadius: 8 }}
    >
      <path d={darkSquares(code)} fill="black" transform={`translate(${MARGIN} ${MARGIN})`} />
    </svg>
  )
}

function darkSquares(code: ReturnType<typeof generate>): string {
  const rows = Array.from({ length: code.size }, (_row, y) =>
    Array.from({ length: code.size }, (_column, x) => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  )
  return rows.join('')
}
